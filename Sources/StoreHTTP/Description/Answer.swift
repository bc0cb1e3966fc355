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

    enum Codes: Sendable {
        case texts([String])
        case numbers([Int64])
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
    init(_ failures: [OperationDescription.Failure], _ status: Int, isApples: Bool) {
        let coded = failures.filter { $0.code != nil }
        let codes = coded.map { failure in
            let name = failure.name.map { " \($0)" } ?? ""
            return (failure.code ?? "") + name
        }.joined(separator: ", ")
        let isSometimesBare = coded.count < failures.count
        about =
            switch (codes.isEmpty, isSometimesBare) {
            case (true, _): Answer.bare[status] ?? "Without a body."
            case (false, true): "Without a body, or `errorCode` is \(codes)."
            case (false, false): "`\(isApples ? "errorCode" : "error")` is \(codes)."
            }
        if !coded.isEmpty {
            let codes = coded.compactMap(\.code)
            contents = [
                Content(
                    mediaType: "application/json", schema: .named("Error"),
                    codes: isApples ? .numbers(codes.compactMap { Int64($0) }) : .texts(codes))
            ]
        } else if status == 401 {
            contents = [Content(mediaType: "text/plain", schema: .text("Always the same."))]
        }
        fields = Answer.fields[status].map { [$0] } ?? []
    }

    private static let bare = [
        401: "The request token is missing or not good.", 405: "The path takes other methods.",
        413: "The body is too large.",
    ]

    private static let fields = [
        401: (name: "WWW-Authenticate", about: "Always Bearer."),
        405: (name: "Allow", about: "The methods that the path takes."),
        429: (
            name: "Retry-After",
            about: "The next allowed moment, in milliseconds since 1970: no number of seconds."
        ),
        503: (name: "Retry-After", about: "After how many seconds it is worth trying again."),
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
    /// The member that has the code.
    var member: String {
        switch self {
        case .texts: "error"
        case .numbers: "errorCode"
        }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .texts(let codes): json.field("enum", codes)
            case .numbers(let codes): json.field("enum", codes)
            }
        }
    }
}
