import AppStoreSigning
import AppStoreWire
import Foundation
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

extension World {
    static let secret = "0123456789abcdef0123456789abcdef"

    /// A world whose app has a shared secret.
    static func receipts(
        _ backend: Backend, at start: String = "2026-01-01T00:00:00Z",
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> World {
        let world = try await World(backend, at: start, isListening: false, configure: configure)
        _ = try await world.store.setSharedSecret(World.secret, of: World.bundleID)
        return world
    }

    /// Sends a receipt to verifyReceipt.
    func reply(
        _ receipt: [UInt8], password: String? = World.secret, excludesOld: Bool? = nil,
        in environment: StoreEnvironment = .production
    ) async throws -> ReceiptReply {
        let request = VerifyReceiptRequest(
            receiptData: Data(receipt).base64EncodedString(), password: password,
            excludeOldTransactions: excludesOld)
        var json = JSONWriter()
        request.encode(to: &json)
        return try await store.verifyReceipt(json.bytes, in: environment)
    }

    /// Sends the receipt of a device, which must be told.
    func verified(
        _ device: DeviceSession, password: String? = World.secret, excludesOld: Bool? = nil,
        in environment: StoreEnvironment = .production
    ) async throws -> VerifyReceiptResponse {
        let receipt = try await store.receipt(for: device)
        guard
            case .ofApp(let response) = try await reply(
                receipt.bytes, password: password, excludesOld: excludesOld, in: environment)
        else { throw NoAppReceipt() }
        return response
    }

    /// Reads and verifies a receipt as an app does.
    func read(_ receipt: MadeReceipt) async throws -> AppReceipt {
        try await read(receipt.bytes, on: receipt.deviceIdentifier)
    }

    /// - Parameter device: the UUID that the receipt must be sealed for.
    func read(_ receipt: [UInt8], on device: String) async throws -> AppReceipt {
        try await ReceiptVerifier(rootDER: [World.receiptChain.rootDER]).verify(
            receipt,
            expecting: ReceiptExpectation(
                bundleID: World.bundleID, appVersion: "1.0",
                deviceIdentifier: Self.bytes(device)))
    }

    private static func bytes(_ uuid: String) -> [UInt8] {
        withUnsafeBytes(of: UUID(uuidString: uuid)!.uuid) { Array($0) }
    }

    /// A transaction as verifyReceipt tells it, such as `silver.monthly until 2026-02-01 trial`.
    static func told(_ one: ReceiptTransaction) -> String {
        var words = [one.productId]
        if one.quantity != 1 { words.append("× \(one.quantity)") }
        if let end = one.expiresDate { words.append("until \(text(end))") }
        if one.isTrialPeriod == true { words.append("trial") }
        if one.isInIntroOfferPeriod == true { words.append("intro") }
        if one.isUpgraded == true { words.append("upgraded") }
        if let moment = one.cancellationDate { words.append("cancelled \(text(moment))") }
        if let reason = one.cancellationReason { words.append("for \(reason.rawValue)") }
        if one.inAppOwnershipType == .familyShared { words.append("shared") }
        if let offer = one.promotionalOfferId { words.append("offer \(offer)") }
        if let offer = one.offerCodeRefName { words.append("code \(offer)") }
        return words.joined(separator: " ")
    }

    /// What comes next as verifyReceipt tells it.
    static func told(_ one: PendingRenewalInfo) -> String {
        let isSame = one.autoRenewProductId == one.productId
        var words = [
            one.productId + (isSame ? "" : ">\(one.autoRenewProductId)"),
            one.autoRenewStatus == .on ? "on" : "off",
        ]
        if let intent = one.expirationIntent { words.append("intent \(intent.rawValue)") }
        if let retries = one.isInBillingRetryPeriod { words.append(retries ? "retry" : "given up") }
        if let end = one.gracePeriodExpiresDate { words.append("grace \(text(end))") }
        if let consent = one.priceConsentStatus { words.append("consent \(consent.rawValue)") }
        if let told = one.priceIncreaseStatus { words.append("increase \(told.rawValue)") }
        return words.joined(separator: " ")
    }
}

struct NoAppReceipt: Error {}

extension VerifyReceiptResponse {
    /// What it tells now, newest first.
    var latest: [String]? { latestReceiptInfo.map { $0.map { World.told($0) } } }
    /// What stands in the receipt, oldest first.
    var frozen: [String]? {
        receipt.map { receipt in
            receipt.inApp.sorted { $0.transactionId < $1.transactionId }.map { World.told($0) }
        }
    }
    /// What comes next.
    var pending: [String]? { pendingRenewalInfo.map { $0.map { World.told($0) } } }
}
