import AppStoreWire
import ConnectAnswers
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// Where customers' pages ask the store, in the environment of the page.
struct StoreDesk: Sendable {
    let call: Call<StoreSite>
    /// In whose place it is asked.
    let account: StoreSite.Account

    /// Reads what the customer's device may read.
    ///
    /// - Throws: `Refusal`; `UnusableAnswer`.
    func get(_ path: StorePath) async throws -> Answer { try await ask(.get, path, nil) }

    /// Does what the customer's device may do; `body` writes the members of the request.
    ///
    /// - Parameter rehearses: whether it is only asked what would happen.
    func send(
        _ method: HTTPRequest.Method, _ path: StorePath, rehearses: Bool = false,
        _ body: (inout JSONWriter) -> Void
    ) async throws -> Answer {
        var json = JSONWriter()
        json.object(body)
        return try await ask(method, path, json.bytes, rehearses: rehearses)
    }

    /// Does something that takes no members.
    func send(_ method: HTTPRequest.Method, _ path: StorePath) async throws -> Answer {
        try await ask(method, path, nil)
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: StorePath, _ body: [UInt8]?,
        rehearses: Bool = false
    ) async throws -> Answer {
        let (status, bytes) = try await call.connect(
            method, path.text, body: body, actingFor: account, rehearses: rehearses)
        return try Self.answer(status, bytes, to: "\(method.rawValue) \(path.text)")
    }

    /// What was answered.
    ///
    /// - Throws: `Refusal`; what passes by itself.
    static func answer(
        _ status: HTTPResponse.Status, _ bytes: [UInt8], to question: String
    ) throws -> Answer {
        let value = bytes.isEmpty ? .object([:]) : try JSONValue(parsing: bytes)
        let answer = Answer(value: value, source: question)
        guard status.kind == .successful else {
            if status == .serviceUnavailable {
                let isBusy = answer.optionalText("error") == "busy"
                throw isBusy ? PassingFailure.busy : PassingFailure.unreachable
            }
            throw Refusal(status, answer)
        }
        return answer
    }
}

/// Why the store refused something.
struct Refusal: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    /// Such as `unknownAccount`.
    let code: String
    /// In English, for whom there are no words of our own.
    let message: String
    /// The member that is wrong.
    let field: String?

    init(_ status: HTTPResponse.Status, _ answer: Answer) {
        self.status = status
        code = answer.optionalText("error") ?? "internal"
        message = answer.optionalText("message") ?? ""
        field = answer.optionalText("field")
    }

    init(_ error: ErrorBody) {
        status = error.status
        code = error.code
        message = error.message
        field = error.field
    }
}
