import AppStoreSigning
import AppStoreWire
import Foundation
import Synchronization

@testable import PerennialKit

/// A small store inside the test, without a network: it keeps queues for devices as the surface
/// for devices says, signs what it gives out, and goes wrong in every way that a test asks for.
final class FakeStore: StoreTransport {
    /// What is wrong with one answer.
    enum Fault: Sendable {
        /// Nothing is sent.
        case unreachable
        /// The store does what it is asked for; the answer is lost.
        case lostAnswer
        /// The store does what it is asked for; no answer comes in time.
        case late
        /// The store does nothing, and answers this.
        case answer(StoreResponse)
        /// The store does what it is asked for, and this comes in the answer's place.
        case spoilt(StoreResponse)
        /// The answer waits until the gate opens.
        case held(Opening)
        /// It is on its way until the gate opens, and only then done.
        case onItsWay(Opening)
    }

    struct Sale {
        var payload: JWSTransactionDecodedPayload
        let account: String
        /// The number of the last change.
        var changed: Int
    }

    struct Core {
        var now: Int64 = 1_770_000_000_000
        var sales: [Sale] = []
        /// Accounts and devices by their tokens.
        var signIns: [String: (account: String, device: String)] = [:]
        var lastToken = 0
        var changes = 0
        /// What each device has finished.
        var finished: [String: Set<String>] = [:]
        /// What a restore put back, by device.
        var restored: [String: Set<String>] = [:]
        /// What came of purchases, by their keys.
        var keys: [String: (id: String?, result: String)] = [:]
        var faults: [(path: String, fault: Fault)] = []
        /// What goes wrong with requests each time that they come.
        var broken: (@Sendable (StoreRequest) -> Fault?)?
        var requests: [StoreRequest] = []
        /// How many purchases were charged.
        var charges = 0
        /// What a purchase comes to.
        var purchaseResult = "success"
        var deliversAgain = false
        var environment = AppStoreWire.Environment.sandbox
        var bundleID = FakeStore.bundleID
        /// Spoils what was signed.
        var forge: (@Sendable (String) -> String)?
        var subscriptions: [String: JSONValue] = [:]
        var isClosed = false
    }

    static let bundleID = "com.example.app"
    static let chain = makeChain()
    static let otherChain = makeChain()

    let core = Mutex(Core())
    let bell = Bell()
    private let signer: JWSSigner

    init(chain: CertificateChain = FakeStore.chain) { signer = JWSSigner(chain: chain) }

    private static func makeChain() -> CertificateChain {
        do {
            return try CertificateChain.make(
                notBefore: 946_684_800_000, notAfter: 4_102_444_800_000)
        } catch { preconditionFailure("no certificates: \(error)") }
    }

    // MARK: What a test does and sees

    /// The next requests whose path begins so go wrong, one for each fault.
    func fail(_ path: String, _ faults: Fault...) {
        core.withLock { core in core.faults += faults.map { (path, $0) } }
    }

    func heal() { core.withLock { $0.faults = [] } }

    var requests: [StoreRequest] { core.withLock { $0.requests } }
    var charges: Int { core.withLock { $0.charges } }

    func requests(to path: String) -> [StoreRequest] {
        requests.filter { $0.path.hasPrefix(path) }
    }

    /// How things stand at the store.
    func look<T>(_ body: (inout Core) -> T) -> T { core.withLock { body(&$0) } }

    /// Something happens at the store, which devices hear of.
    @discardableResult
    func change<T>(_ body: (inout Core) -> T) -> T {
        let result = core.withLock { body(&$0) }
        bell.ring()
        return result
    }

    /// A transaction comes by itself, such as a renewal.
    ///
    /// - Returns: its identifier.
    @discardableResult
    func sell(
        _ productID: String = "monthly", to account: String = "ada",
        type: TransactionType = .autoRenewableSubscription
    ) -> String {
        change { $0.sell(productID, to: account, type: type) }
    }

    /// A transaction is given back.
    func refund(_ id: String) {
        change { core in
            core.changes += 1
            guard let place = core.sales.firstIndex(where: { $0.payload.transactionId == id })
            else { return }
            core.sales[place].payload.revocationDate = core.now
            core.sales[place].payload.revocationReason = .other
            core.sales[place].changed = core.changes
        }
    }

    /// What a device has not finished, as the store sees it.
    func unfinished(account: String = "ada", device: String = "phone") -> [String] {
        core.withLock { $0.queue(account, device).map(\.payload.transactionId) }
    }

    func sign(_ payload: some WireEncodable) -> String {
        do {
            let jws = try signer.sign(payload)
            return core.withLock { $0.forge }?(jws) ?? jws
        } catch { preconditionFailure("signing failed: \(error)") }
    }

    // MARK: StoreTransport

    func send(_ request: StoreRequest) async throws -> StoreResponse {
        let fault: Fault? = core.withLock { core in
            core.requests.append(request)
            guard
                let place = core.faults.firstIndex(where: { request.path.hasPrefix($0.path) })
            else { return core.broken?(request) }
            return core.faults.remove(at: place).fault
        }
        switch fault {
        case .unreachable: throw TransportFailure.unreachable("fault")
        case .answer(let response): return response
        case .lostAnswer:
            _ = try await answer(request)
            throw TransportFailure.interrupted("fault")
        case .late:
            _ = try await answer(request)
            throw TransportFailure.timedOut
        case .spoilt(let response):
            _ = try await answer(request)
            return response
        case .held(let opening):
            let response = try await answer(request)
            opening.arrive()
            await opening.opened()
            return response
        case .onItsWay(let opening):
            opening.arrive()
            await opening.opened()
            return try await answer(request)
        case nil: return try await answer(request)
        }
    }

    func close() async { core.withLock { $0.isClosed = true } }
}

extension FakeStore.Core {
    @discardableResult
    mutating func sell(_ productID: String, to account: String, type: TransactionType) -> String {
        changes += 1
        now += 1000
        let id = String(100 + sales.count)
        let original =
            type != .autoRenewableSubscription
            ? id
            : sales.first { $0.account == account && $0.payload.productId == productID }?
                .payload.originalTransactionId ?? id
        let isSubscription = type == .autoRenewableSubscription
        sales.append(
            FakeStore.Sale(
                payload: JWSTransactionDecodedPayload(
                    transactionId: id, originalTransactionId: original, bundleId: bundleID,
                    productId: productID,
                    subscriptionGroupIdentifier: isSubscription ? "group" : nil,
                    purchaseDate: now, originalPurchaseDate: now,
                    expiresDate: isSubscription ? now + 2_592_000_000 : nil, quantity: 1,
                    type: type, inAppOwnershipType: .purchased, signedDate: now,
                    environment: environment, storefront: "USA", storefrontId: "143441",
                    transactionReason: original == id ? .purchase : .renewal, price: 9990,
                    currency: "USD"), account: account, changed: changes))
        return id
    }

    /// The queue of a device, oldest first: a consumable leaves all queues with one finish.
    func queue(_ account: String, _ device: String) -> [FakeStore.Sale] {
        let done = finished["\(account)/\(device)"] ?? []
        let brought = restored["\(account)/\(device)"] ?? []
        let doneSomewhere = finished.filter { $0.key.hasPrefix("\(account)/") }
            .values.reduce(into: Set<String>()) { $0.formUnion($1) }
        return sales.filter { sale in
            let id = sale.payload.transactionId
            guard sale.account == account else { return false }
            if brought.contains(id) { return true }
            return sale.payload.type == .consumable
                ? !doneSomewhere.contains(id) : !done.contains(id)
        }
    }
}
