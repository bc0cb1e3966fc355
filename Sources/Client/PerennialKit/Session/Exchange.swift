import AppStoreWire
import FoundationEssentials

/// Asks the store: with the token of the sign-in, again where that makes sense, and with every
/// way in which it can go wrong told apart.
struct Exchange: Sendable {
    let configuration: StoreConfiguration
    let keeper: Keeper

    /// Whether a request may be sent again though the store may have acted on it.
    enum Repetition: Sendable {
        /// It changes nothing, or the same once more changes nothing.
        case harmless
        /// Only where the store cannot have acted.
        case onlyIfRefused
        /// Not at all: whoever calls tries again.
        case never
    }

    func get(_ path: StorePath) async throws(StoreKitError) -> JSONValue {
        try await send("GET", path, as: try keeper.token())
    }

    func get(_ path: String) async throws(StoreKitError) -> JSONValue {
        try await get(StorePath(path))
    }

    /// Asks as the customer who is signed in.
    ///
    /// - Parameter write: writes the members of a JSON object.
    func change(
        _ method: String, _ path: StorePath, repetition: Repetition,
        body write: (inout JSONWriter) -> Void
    ) async throws(StoreKitError) -> JSONValue {
        var json = JSONWriter()
        json.object { json in write(&json) }
        return try await send(
            method, path, as: try keeper.token(), repetition: repetition, body: json.bytes)
    }

    /// Asks, and asks again as the policy has it.
    ///
    /// - Parameters:
    ///   - token: nil asks as nobody.
    ///   - patience: how much longer than usual the answer may take.
    ///   - failed: hears of every attempt that failed.
    func send(
        _ method: String, _ path: StorePath, as token: String?, key: String? = nil,
        repetition: Repetition = .harmless, patience: Duration = .zero, body: [UInt8]? = nil,
        failed: (StoreKitError) -> Void = { _ in }
    ) async throws(StoreKitError) -> JSONValue {
        var failures = 0
        while true {
            let error: StoreKitError
            do throws(StoreKitError) {
                return try await sendOnce(
                    method, path, as: token, key: key, patience: patience, body: body)
            } catch let failure {
                error = failure
            }
            failed(error)
            failures += 1
            let isAllowed =
                switch repetition {
                case .harmless: true
                case .onlyIfRefused: !error.mayHaveActed
                case .never: false
                }
            guard error.isPassing, isAllowed, failures < configuration.retry.attempts,
                error.retryAfter ?? .zero <= configuration.retry.patience
            else { throw error }
            let delay = configuration.retry.delay(
                afterFailures: failures, retryAfter: error.retryAfter, chance: configuration.chance)
            do { try await configuration.clock.wait(delay) } catch { throw error.cancellation }
        }
    }

    private func sendOnce(
        _ method: String, _ path: StorePath, as token: String?, key: String?, patience: Duration,
        body: [UInt8]?
    ) async throws(StoreKitError) -> JSONValue {
        guard !keeper.isClosed else { throw .closed }
        var headers: [String: String] = ["Accept": "application/json"]
        headers["Authorization"] = token.map { "Bearer \($0)" }
        headers["Idempotency-Key"] = key
        if body != nil { headers["Content-Type"] = "application/json" }
        let request = StoreRequest(
            method: method, path: path.text, headers: headers, body: body,
            timeout: configuration.timeout + patience)
        let response: StoreResponse
        do {
            response = try await configuration.transport.send(request)
        } catch let failure as TransportFailure {
            throw .networkError(failure)
        } catch {
            throw error.cancellation
        }
        return try read(response, token)
    }

    private func read(
        _ response: StoreResponse, _ token: String?
    ) throws(StoreKitError) -> JSONValue {
        let json = response.body.isEmpty ? nil : try? JSONValue(parsing: response.body)
        switch response.status {
        case 200..<300:
            if response.body.isEmpty { return .object([:]) }
            guard let json, json.object != nil else {
                throw .invalidResponse("status \(response.status) without a JSON object")
            }
            return json
        case 401:
            if let token { try keeper.void(token) }
            throw .notSignedIn
        case 429:
            throw .tooManyRequests(retryAfter: Self.retryAfter(response))
        case 400..<500:
            guard let code = json?["error"]?.string else {
                // Not the store's own words: something in between, such as a proxy.
                throw .invalidResponse("status \(response.status) without a code")
            }
            throw .refused(
                StoreRefusal(
                    status: response.status, code: code, message: json?["message"]?.string ?? "",
                    field: json?["field"]?.string))
        case 500...:
            throw .storeUnavailable(
                status: response.status, retryAfter: Self.retryAfter(response))
        default:
            throw .invalidResponse("status \(response.status)")
        }
    }

    /// Seconds; a date in their place is not understood, and the policy's own wait has to do.
    private static func retryAfter(_ response: StoreResponse) -> Duration? {
        guard let text = response.headers["retry-after"], let seconds = Int64(text),
            (0...604_800).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }
}

extension Error {
    /// What a task that was cancelled, or an error that a transport should not have thrown, is to
    /// whoever called.
    var cancellation: StoreKitError {
        self is CancellationError
            ? .networkError(.interrupted("cancelled")) : .networkError(.interrupted("\(self)"))
    }
}
