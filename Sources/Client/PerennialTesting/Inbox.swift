import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Outbox
import OutboxHTTP
import Synchronization

/// Takes what a store posts, keeps it, and passes it on to the server under test.
final class Inbox: Post {
    private struct State {
        var all: [ReceivedNotification] = []
        /// Places in `all` of what was asked for already.
        var taken: Set<Int> = []
        var receiver: Receiver?
    }

    /// Who gets what comes, and answers.
    enum Receiver: Sendable {
        case url(String)
        case function(@Sendable (String) async throws -> Void)
    }

    private let state = Mutex(State())
    private let verifier: SignedDataVerifier
    private let http = HTTPPost()

    init(_ verifier: SignedDataVerifier) { self.verifier = verifier }

    func close() async { await http.close() }

    func forward(to receiver: Receiver?) { state.withLock { $0.receiver = receiver } }

    var all: [ReceivedNotification] { state.withLock { $0.all } }

    /// The first that fits and was not taken before.
    func take(
        _ type: NotificationTypeV2, _ subtype: Subtype?, about originalID: String?
    ) -> ReceivedNotification? {
        state.withLock { state in
            for (place, one) in state.all.enumerated()
            where !state.taken.contains(place) && one.payload.notificationType == type {
                if let subtype, one.payload.subtype != subtype { continue }
                if let originalID, one.originalID != originalID { continue }
                state.taken.insert(place)
                return one
            }
            return nil
        }
    }

    func post(_ body: [UInt8], to url: String) async -> PostOutcome {
        guard let received = await read(body) else { return .answered(status: 400) }
        let receiver = state.withLock { $0.receiver }
        let outcome = await pass(body, received.signedPayload, to: receiver)
        state.withLock { state in
            var received = received
            if case .answered(let status) = outcome { received.answer = status }
            state.all.append(received)
        }
        return outcome
    }

    private func pass(
        _ body: [UInt8], _ signedPayload: String, to receiver: Receiver?
    ) async -> PostOutcome {
        switch receiver {
        case nil: return .answered(status: 200)
        case .url(let url)?: return await http.post(body, to: url)
        case .function(let function)?:
            do {
                try await function(signedPayload)
                return .answered(status: 200)
            } catch {
                return .answered(status: 500)
            }
        }
    }

    private func read(_ body: [UInt8]) async -> ReceivedNotification? {
        do {
            let signed = try JSONDecoder().decode(ResponseBodyV2.self, from: Data(body))
                .signedPayload
            let payload = try await verifier.verifyNotification(signed)
            var received = ReceivedNotification(signedPayload: signed, payload: payload)
            if let text = payload.data?.signedTransactionInfo {
                received.transaction = SignedTransaction(
                    signed: text, payload: try await verifier.verifyTransaction(text))
            }
            if let text = payload.data?.signedRenewalInfo {
                received.renewal = try await verifier.verifyRenewalInfo(text)
            }
            return received
        } catch {
            return nil
        }
    }
}
