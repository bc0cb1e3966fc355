public import AppStoreWire
import FoundationEssentials
import NIOHTTP1
public import TimeAndChance

/// A client of `verifyReceipt` in one environment: Apple's, or that of a store (RCP-1).
///
/// What may pass is asked again: a connection that broke, 5xx, 21002 once, 21005 and 21009, and
/// 21100 to 21199 where the reply says so. What is left is the reply with its status: 21007 and
/// 21008 say that the receipt belongs to the other environment, of which there is another client.
public struct VerifyReceiptClient: Sendable {
    /// Apple's server for Production.
    public static let productionURL = "https://buy.itunes.apple.com/verifyReceipt"
    /// Apple's server for Sandbox and TestFlight.
    public static let sandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"

    private let url: String
    private let password: String
    private let retries: RequestRetries
    private let connection: APIConnection
    private let wait: @Sendable (Duration) async -> Void
    private let chance: @Sendable () -> UInt64

    /// A client that has asked nothing yet.
    ///
    /// - Parameters:
    ///   - url: ``productionURL``, ``sandboxURL``, or a store's: http or https.
    ///   - password: the shared secret of the app, or of the account.
    ///   - timeout: how long a whole answer may take.
    ///   - wait: how a call waits, replaced in tests; returns early when the task is cancelled.
    ///   - chance: random numbers that spread retries, replaced in tests.
    /// - Throws: ``ServerAPIError`` of the kind `unusableRequest` where `url` is no such URL.
    public init(
        url: String, password: String, retries: RequestRetries = RequestRetries(attempts: 3),
        timeout: Duration = .seconds(10),
        wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait,
        chance: @escaping @Sendable () -> UInt64 = { Randomness.number() }
    ) throws(ServerAPIError) {
        guard ServerAPIClient.isUsable(url) else {
            throw ServerAPIError(
                .unusableRequest, "\(url) is no http or https URL with a host and no query.")
        }
        self.url = url
        self.password = password
        self.retries = retries
        connection = APIConnection(timeout: timeout)
        self.wait = wait
        self.chance = chance
    }

    /// What the store says of an app receipt now.
    ///
    /// - Parameter receipt: in Base64, without line breaks.
    /// - Returns: the last reply, whatever its status is.
    public func verify(_ receipt: String) async throws(ServerAPIError) -> VerifyReceiptResponse {
        let body = VerifyReceiptRequest(receiptData: receipt, password: password).jsonBytes()
        var failures = 0
        while true {
            let result: Result<VerifyReceiptResponse, ServerAPIError>
            do throws(ServerAPIError) {
                result = .success(try await ask(body))
            } catch {
                result = .failure(error)
            }
            failures += 1
            guard failures < attempts(after: result) else { return try result.get() }
            await wait(retries.delay(afterFailures: failures, chance: chance()))
            if Task.isCancelled { throw ServerAPIError(.cancelled) }
        }
    }

    /// How often one call asks in all, by what came last.
    private func attempts(
        after result: Result<VerifyReceiptResponse, ServerAPIError>
    ) -> Int {
        switch result {
        case .failure(let error): error.mayPass ? retries.attempts : 1
        case .success(let reply):
            switch reply.status.advice {
            case .retryOnce: min(2, retries.attempts)
            case .retryLater: retries.attempts
            case .asTheReplySays: reply.isRetryable == true ? retries.attempts : 1
            case .read, .giveUp, .askSandbox, .askProduction: 1
            }
        }
    }

    private func ask(_ body: [UInt8]) async throws(ServerAPIError) -> VerifyReceiptResponse {
        let answer = try await connection.send(
            APIRequest(method: .POST, url: url, body: body), token: nil)
        guard (200..<300).contains(answer.status) else { throw ServerAPIError(answer) }
        do {
            return try JSONDecoder().decode(
                VerifyReceiptResponse.self, from: Data(answer.body))
        } catch {
            throw ServerAPIError(
                .unreadableReply, status: answer.status, "it is no reply of verifyReceipt.")
        }
    }
}

extension ServerAPIError {
    /// Whether the same question to verifyReceipt, which has no numbers of errors, may be answered
    /// later.
    public var mayPass: Bool { canBeRetried || status.map { $0 >= 500 } ?? false }
}

/// Loggers print values by reflection, and this one holds a secret.
extension VerifyReceiptClient: CustomStringConvertible, CustomReflectable {
    public var description: String { "VerifyReceiptClient" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
