import AppStoreWire
import HTTPSurface
import Merchant

/// A campaign's file with the files that it names.
struct CampaignDocument: Sendable {
    struct Attachment: Sendable {
        var name = ""
        var text = ""
    }

    var file = ""
    var attachments: [Attachment] = []
}

extension CampaignDocument {
    init(_ source: CampaignSource) {
        self.init(
            file: source.file,
            attachments: source.attachments.sorted { $0.key < $1.key }.map {
                Attachment(name: $0.key, text: $0.value)
            })
    }

    /// The attachments' texts by their names; of several with one name the last.
    var texts: [String: String] {
        Dictionary(attachments.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
    }
}

/// A campaign's file as requests send it and a plan gives it back, declared once.
enum CampaignDocumentForm {
    private typealias Part = TypedMember<CampaignDocument.Attachment, String>

    private static let name = Part("name", "As the campaign names it.", .line(1...1024), \.name)
    private static let text = Part("text", "What it holds.", content(0...(1 << 20)), \.text)
    private static let attachment = ObjectForm<CampaignDocument.Attachment>(
        "A file that the campaign names.", name.member, text.member)

    private static let file = TypedMember<CampaignDocument, String>(
        "file", "The campaign's file (YAML).", content(1...(1 << 20)), \.file)

    static let document = ObjectForm<CampaignDocument>(
        "What a plan was made of, as `run` takes it.", file.member,
        .settableParts(
            "attachments", "The files that it names.", \.attachments, of: attachment,
            blank: CampaignDocument.Attachment()))

    /// Any text; an answer promises no length.
    private static func content(_ length: ClosedRange<Int>) -> MemberKind<String> {
        MemberKind<String>(
            asked: { .text($0, length, .free) }, answered: { .text($0) },
            json: { JSONValue.string($0) }, value: { $0.string })
    }

    /// What a request says.
    ///
    /// - Parameter others: what it says besides the campaign.
    static func body(_ others: Schema.Member...) -> Schema {
        document.order("The campaign.", and: others)
    }

    /// Reads a request.
    static func read(_ input: Input) throws(ErrorBody) -> CampaignDocument {
        let change = try document.change(by: input)
        var sent = CampaignDocument()
        change(&sent)
        return sent
    }
}
