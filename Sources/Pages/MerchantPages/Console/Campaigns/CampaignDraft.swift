import AppStoreWire
import ConnectAnswers
import HTMLPages

/// A campaign's file with the files that it names, as somebody pasted them or a plan keeps them.
struct CampaignDraft: Sendable {
    let file: String
    /// By the names that the file gives them; one without a text is missing.
    let attachments: [String: String]

    /// The longest form, in bytes: what calls take.
    static let limit = 1 << 20

    static let empty = CampaignDraft(file: "", attachments: [:])

    init(file: String, attachments: [String: String]) {
        self.file = file
        self.attachments = attachments
    }

    /// Reads what was pasted.
    init(_ form: FormInput) {
        var attachments: [String: String] = [:]
        var place = 0
        while let name = form.text("name\(place)") {
            let text = Self.lines(form["text\(place)"])
            if !text.isEmpty { attachments[name] = text }
            place += 1
        }
        self.init(file: Self.lines(form["file"]), attachments: attachments)
    }

    /// Reads what a plan keeps.
    init(_ answer: Answer) throws {
        var attachments: [String: String] = [:]
        for one in try answer.list("attachments") {
            // Raw: what is shown elsewhere has marks replaced that must not change here.
            guard let name = one.value["name"]?.string, let text = one.value["text"]?.string
            else { throw answer.lacks("attachments") }
            attachments[name] = text
        }
        guard let file = answer.value["file"]?.string else { throw answer.lacks("file") }
        self.init(file: file, attachments: attachments)
    }

    /// Browsers end lines by two characters, where files and mails have one.
    private static func lines(_ text: String) -> String {
        text.replacing("\r\n", with: "\n")
    }

    /// Writes the members of a request.
    func write(to json: inout JSONWriter) {
        json.field("file", file)
        json.array("attachments") { json in
            for (name, text) in attachments.sorted(by: { $0.key < $1.key }) {
                json.elementObject { json in
                    json.field("name", name)
                    json.field("text", text)
                }
            }
        }
    }

    /// The form that takes it, with a field for each file that it names.
    func form(naming names: [String]) -> PageForm {
        typealias Words = MerchantWords.Beginning
        var fields = [
            Field("file", Words.file, .longText, in: "draft", value: file, hint: Words.fileHint)
        ]
        for (place, name) in names.enumerated() {
            fields.append(
                Field(
                    "text\(place)", Words.attachment(name), .longText, in: "draft",
                    value: attachments[name] ?? "",
                    problem: attachments[name] == nil ? Words.missing : nil))
        }
        return PageForm(
            .change, action: MerchantPath.newCampaign, button: Words.plan, id: "draft",
            about: Words.planAbout,
            hidden: names.enumerated().map { PageForm.Hidden("name\($0.offset)", $0.element) },
            fields: fields,
            way: PageLink(MerchantWords.Errors.back, MerchantPath.campaigns))
    }
}
