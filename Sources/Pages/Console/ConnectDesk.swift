import AppStoreWire
import ConnectAnswers
import HTTPSurface
import HTTPTypes
import StoreHTTP

/// Where the console asks `/connect`, in the environment of the page.
struct ConnectDesk: Sendable {
    let call: Call<StoreSite>
    /// Whether what would change something is only asked what it would do: `Foretold` is thrown.
    var rehearses = false

    /// Reads something.
    ///
    /// - Throws: `ConnectRefusal`; `UnusableAnswer`.
    func get(_ path: StorePath) async throws -> Answer { try await ask(.get, path, nil) }

    /// The apps of the store, in the order of adding.
    func apps() async throws -> [AppSheet] {
        try await get(StorePath("connect", "v1", "apps")).list("apps").map {
            try $0.read(AppForm.app, into: AppSheet())
        }
    }

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

    /// Asks with a body that is made already.
    ///
    /// - Parameters:
    ///   - account: the customer in whose place the storefront is asked.
    ///   - rehearses: whether it is only asked what would happen.
    func ask(
        _ method: HTTPRequest.Method, _ path: StorePath, _ body: [UInt8]?,
        actingFor account: StoreSite.Account? = nil, rehearses: Bool = false
    ) async throws -> Answer {
        let foretells = self.rehearses && method != .get
        let (status, bytes) = try await call.connect(
            method, path.text, body: body, actingFor: account, rehearses: rehearses || foretells)
        let answer: Answer
        do {
            answer = try self.answer(status, bytes, to: "\(method.rawValue) \(path.text)")
        } catch let refusal as ConnectRefusal
            where foretells && refusal.code == "notRehearsable"
        {
            // What cannot be tried is described alone.
            throw Foretold(entries: [])
        }
        if foretells { throw Foretold(entries: try answer.list("entries")) }
        return answer
    }

    /// Reads a file.
    ///
    /// - Throws: `ConnectRefusal`.
    func file(_ path: StorePath) async throws -> [UInt8] {
        let (status, bytes) = try await call.connect(.get, path.text)
        if status.kind != .successful { _ = try answer(status, bytes, to: "GET \(path.text)") }
        return bytes
    }

    private func answer(
        _ status: HTTPResponse.Status, _ bytes: [UInt8], to question: String
    ) throws -> Answer {
        let value = bytes.isEmpty ? .object([:]) : try JSONValue(parsing: bytes)
        let answer = Answer(value: value, source: question)
        guard status.kind == .successful else {
            // A page that says so cannot ask for its frame either.
            if status == .serviceUnavailable {
                let isBusy = answer.optionalText("error") == "busy"
                throw isBusy ? PassingFailure.busy : PassingFailure.unreachable
            }
            throw ConnectRefusal(status, answer)
        }
        return answer
    }
}

/// What an act would do, in place of doing it.
struct Foretold: Error {
    /// What the journal would say; empty where it says nothing, or nobody can try it.
    let entries: [Answer]
}

/// Why `/connect` refused something.
struct ConnectRefusal: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    /// Such as `unknownAccount`.
    let code: String
    let message: String
    /// The member that is wrong.
    let field: String?

    init(_ status: HTTPResponse.Status, _ answer: Answer) {
        self.status = status
        code = answer.optionalText("error") ?? "internal"
        message = answer.optionalText("message") ?? ConsoleWords.Errors.noReason
        field = answer.optionalText("field")
    }

    init(_ error: ErrorBody) {
        status = error.status
        code = error.code
        message = error.message
        field = error.field
    }
}
