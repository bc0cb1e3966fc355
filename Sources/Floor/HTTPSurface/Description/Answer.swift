import AppStoreWire
import HTTPTypes

/// One answer of an operation, as a document describes it.
struct Answer: WireEncodable {
    /// What its body can be.
    struct Content: Sendable {
        let mediaType: String
        let schema: Schema
        /// The codes that an error can have: texts on our own surfaces, numbers on Apple's.
        var codes: Codes?
    }

    struct Codes: Sendable {
        /// The member that has the code.
        let member: String
        let texts: [String]
        let areNumbers: Bool
    }

    let about: String
    var contents: [Content] = []
    /// The fields that it always has, each with what it is.
    var fields: [(name: String, about: String)] = []

    /// A success.
    init(about: String, contents: [Content]) {
        self.about = about
        self.contents = contents
    }

    /// What is answered with one status.
    init(_ failures: [OperationDescription.Failure], _ status: Int, as form: any ErrorForm) {
        let coded = failures.filter { $0.code != nil }
        let codes = coded.map { failure in
            let name = failure.name.map { " \($0)" } ?? ""
            return (failure.code ?? "") + name
        }.joined(separator: ", ")
        let isSometimesBare = coded.count < failures.count
        about =
            switch (codes.isEmpty, isSometimesBare) {
            case (true, _): Answer.bare[status] ?? "Without a body."
            case (false, true): "Without a body, or `\(form.codeMember)` is \(codes)."
            case (false, false): "`\(form.codeMember)` is \(codes)."
            }
        if !coded.isEmpty {
            let codes = coded.compactMap(\.code)
            contents = [
                Content(
                    mediaType: "application/json", schema: .named("Error"),
                    codes: Codes(
                        member: form.codeMember, texts: codes, areNumbers: form.hasNumbers))
            ]
        } else if status == 401 {
            contents = [Content(mediaType: "text/plain", schema: .text("Always the same."))]
        }
        fields = form.fields(of: status)
    }

    private static let bare = [
        401: "The request token is missing or not good.", 405: "The path takes other methods.",
        413: "The body is too large.",
    ]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("description", about)
            if !fields.isEmpty {
                json.object("headers") { json in
                    for (name, about) in fields {
                        json.field(named: name, Field(about: about))
                    }
                }
            }
            guard !contents.isEmpty else { return }
            json.object("content") { json in
                for content in contents { json.field(named: content.mediaType, content) }
            }
        }
    }

    private struct Field: WireEncodable {
        let about: String

        func encode(to json: inout JSONWriter) {
            json.object { json in
                json.field("description", about)
                json.field("required", true)
                json.object("schema") { $0.field("type", "string") }
            }
        }
    }
}

extension Answer.Content: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            guard let codes else { return json.field("schema", schema) }
            json.object("schema") { json in
                json.array("allOf") { json in
                    json.element(schema)
                    json.elementObject { json in
                        json.object("properties") { $0.field(named: codes.member, codes) }
                    }
                }
            }
        }
    }
}

extension Answer.Codes: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            if areNumbers {
                json.field("enum", texts.compactMap { Int64($0) })
            } else {
                json.field("enum", texts)
            }
        }
    }
}
