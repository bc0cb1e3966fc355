import AppStoreWire
import ConnectAnswers
import HTTPSurface
import HTTPTypes
import MerchantHTTP

/// Where pages ask the merchant, in somebody's place.
struct MerchantDesk: Sendable {
    let call: Call<MerchantSite>
    let caller: MerchantCaller

    /// Reads something.
    ///
    /// - Throws: `MerchantRefusal`; `PassingFailure`.
    func get(_ path: StorePath) async throws -> Answer { try await ask(.get, path, nil) }

    /// Changes something; `body` writes the members of the request.
    func send(
        _ method: HTTPRequest.Method, _ path: StorePath, _ body: (inout JSONWriter) -> Void
    ) async throws -> Answer {
        var json = JSONWriter()
        json.object(body)
        return try await ask(method, path, json.bytes)
    }

    /// Does something that takes no members.
    func send(_ method: HTTPRequest.Method, _ path: StorePath) async throws -> Answer {
        try await ask(method, path, nil)
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: StorePath, _ body: [UInt8]?
    ) async throws -> Answer {
        let (status, bytes) = try await call.ask(method, path.text, as: caller, body: body)
        let value = bytes.isEmpty ? .object([:]) : try JSONValue(parsing: bytes)
        let answer = Answer(value: value, source: "\(method.rawValue) \(path.text)")
        guard status.kind == .successful else {
            if status == .serviceUnavailable,
                let code = answer.optionalText("error"),
                let passing = Self.passing[code]
            {
                throw passing
            }
            throw MerchantRefusal(status, answer)
        }
        return answer
    }

    /// What is likely to go well soon, by its code.
    private static let passing: [String: PassingFailure] = [
        "busy": .busy, "databaseUnavailable": .unreachable,
    ]
}

/// Why the merchant refused something.
struct MerchantRefusal: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    /// Such as `unknownApp`.
    let code: String
    let message: String
    /// The member that is wrong.
    let field: String?

    init(_ status: HTTPResponse.Status, _ answer: Answer) {
        self.status = status
        code = answer.optionalText("error") ?? "internal"
        message = answer.optionalText("message") ?? MerchantWords.Errors.noReason
        field = answer.optionalText("field")
    }

    init(_ error: ErrorBody) {
        status = error.status
        code = error.code
        message = error.message
        field = error.field
    }
}
