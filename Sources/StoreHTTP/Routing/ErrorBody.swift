import AppStoreWire
import HTTPTypes
import StoreKitFile

/// Why one of our own two surfaces refuses a request: the members of its JSON error.
struct ErrorBody: Error, Sendable, WireEncodable {
    let status: HTTPResponse.Status
    /// What programs branch on, in camel case: `error` on the wire.
    let code: String
    /// What is wrong and what to do, in one sentence.
    var message: String
    /// The member or parameter that is wrong.
    var field: String?
    /// What is wrong with a catalogue, each with its place; empty elsewhere.
    var findings: [Finding] = []

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil,
        findings: [Finding] = []
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.findings = findings
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("error", code)
            json.field("message", message)
            json.field("field", field)
            guard !findings.isEmpty else { return }
            json.findings("findings", findings)
        }
    }
}

extension JSONWriter {
    /// Writes what was found in a catalogue.
    mutating func findings(_ key: StaticString, _ findings: [Finding]) {
        array(key) { json in
            for finding in findings {
                json.elementObject { json in
                    json.field("path", finding.path)
                    json.field("message", finding.problem)
                    json.field("remedy", finding.remedy)
                }
            }
        }
    }
}
