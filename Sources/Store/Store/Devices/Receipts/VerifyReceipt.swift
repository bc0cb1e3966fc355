import AppStoreSigning
public import AppStoreWire
import Crypto
import FoundationEssentials
import Journal
import Storage
import SubscriptionRules

/// What verifyReceipt answers.
public enum ReceiptReply: WireEncodable, Sendable {
    /// To an app receipt, and to whatever is refused.
    case ofApp(VerifyReceiptResponse)
    /// To the receipt of one transaction.
    case ofTransaction(VerifyTransactionReceiptResponse)

    /// A status and nothing else.
    public static func refused(_ status: VerifyReceiptStatus) -> ReceiptReply {
        .ofApp(VerifyReceiptResponse(status: status))
    }

    /// The verdict.
    public var status: VerifyReceiptStatus {
        switch self {
        case .ofApp(let response): response.status
        case .ofTransaction(let response): response.status
        }
    }

    /// Writes the object.
    public func encode(to json: inout JSONWriter) {
        switch self {
        case .ofApp(let response): response.encode(to: &json)
        case .ofTransaction(let response): response.encode(to: &json)
        }
    }
}

/// Why a receipt is not told: the status is all that a caller learns.
private struct Refusal: Error {
    let status: VerifyReceiptStatus
}

extension Store {
    /// Verifies a receipt for a developer's server, in the order of Apple's statuses: the form, the
    /// signature, the environment, the customer, the shared secret (RCP-1 to RCP-3).
    ///
    /// - Parameter body: the request, whatever was sent.
    /// - Throws: `StorageError` where the database does not answer.
    public func verifyReceipt(
        _ body: [UInt8], in environment: StoreEnvironment
    ) async throws -> ReceiptReply {
        do {
            let request = try VerifyReceiptRequest(parsing: body)
            guard let data = Data(base64Encoded: request.receiptData) else {
                throw Refusal(status: .malformedReceipt)
            }
            let bytes = Array(data)
            switch ReceiptFormat(of: bytes) {
            case .appReceipt: return try await verify(app: bytes, request, in: environment)
            case .transactionReceipt:
                return try await verify(transaction: bytes, request, in: environment)
            case nil: throw Refusal(status: .malformedReceipt)
            }
        } catch let refusal as Refusal {
            return .refused(refusal.status)
        } catch let refusal as VerifyReceiptRequest.Refusal {
            return .refused(refusal.status)
        } catch let error as ReceiptVerificationError {
            return .refused(error.code.status)
        }
    }

    private func verify(
        app bytes: [UInt8], _ request: VerifyReceiptRequest, in environment: StoreEnvironment
    ) async throws -> ReceiptReply {
        let receipt = try await receipts.load().verifier.verify(
            bytes, expecting: ReceiptExpectation())
        try Self.check(Self.isSandbox(receipt.environment), in: environment)
        let found = try await read { reader in
            try reader.answer(receipt, request, in: environment)
        }
        var told = receipt.verified(requestDate: found.now.milliseconds)
        for index in told.inApp.indices {
            told.inApp[index].cancellationReason = found.reasons[told.inApp[index].transactionId]
        }
        var response = VerifyReceiptResponse(
            status: .valid, environment: environment.wire, receipt: told)
        if let news = found.news {
            response.latestReceipt = try sign(news.latest, for: news.identity).base64
            response.latestReceiptInfo = news.transactions
            response.pendingRenewalInfo = news.pending
        }
        return .ofApp(response)
    }

    private func verify(
        transaction bytes: [UInt8], _ request: VerifyReceiptRequest,
        in environment: StoreEnvironment
    ) async throws -> ReceiptReply {
        let seal = try receipts.load()
        let receipt = try await seal.verifier.verify(
            transactionReceipt: bytes, over: seal.intermediateDER)
        try Self.check(receipt.environment == .sandbox, in: environment)
        var response = VerifyTransactionReceiptResponse(
            status: .valid, environment: environment.wire, receipt: receipt.info)
        let news = try await read { reader in
            try reader.answer(receipt, request, in: environment)
        }
        guard let news else { return .ofTransaction(response) }
        let latest = try seal.signer.sign(news.latest)
        response.latestReceipt = Data(latest).base64EncodedString()
        if news.isExpired {
            response.status = .expiredSubscription
            response.latestExpiredReceiptInfo = news.latest.info
        } else {
            response.latestReceiptInfo = news.latest.info
        }
        response.autoRenewStatus = news.renewal.autoRenewStatus
        response.autoRenewProductId = news.renewal.autoRenewProductId
        response.expirationIntent = news.renewal.expirationIntent
        response.isInBillingRetryPeriod = news.renewal.isTriedAgain
        return .ofTransaction(response)
    }

    /// Whether a receipt is of Sandbox. One of Xcode is of neither: nobody but Xcode signs those.
    private static func isSandbox(_ environment: ReceiptEnvironment) throws(Refusal) -> Bool {
        switch environment {
        case .sandbox, .sandboxVPP: true
        case .production, .productionVPP: false
        default: throw Refusal(status: .notAuthenticated)
        }
    }

    /// Sends whoever asks in the wrong place to the other one (RST-7).
    private static func check(
        _ isSandbox: Bool, in environment: StoreEnvironment
    ) throws(Refusal) {
        switch (isSandbox, environment) {
        case (true, .production): throw Refusal(status: .sandboxReceipt)
        case (false, .sandbox): throw Refusal(status: .productionReceipt)
        case (true, .sandbox), (false, .production): break
        }
    }
}

/// What is told of an app receipt besides what is in it.
private struct ReceiptNews {
    let now: Instant
    /// Why the receipt's refunded transactions were refunded, by transaction identifier: receipts
    /// have no attribute for it, `in_app` has (RCP-3.2).
    let reasons: [String: RevocationReason]
    let news: News?

    struct News {
        let transactions: [ReceiptTransaction]
        let pending: [PendingRenewalInfo]
        let latest: AppReceipt
        /// The device that the newest receipt is sealed for: the one of the receipt that was sent.
        let identity: String
    }
}

/// What is told of the receipt of a transaction besides what is in it.
private struct TransactionNews {
    let latest: TransactionReceipt
    let isExpired: Bool
    let renewal: JWSRenewalInfoDecodedPayload
}

extension StoreReader {
    fileprivate func answer(
        _ receipt: AppReceipt, _ request: VerifyReceiptRequest, in environment: StoreEnvironment
    ) throws -> ReceiptNews {
        let app = try app(receipt.bundleID)
        let found = try receipt.inApp.first.map {
            try buyer(of: $0.transactionID, app, environment)
        }
        try check(
            request.password, of: app,
            isRequired: receipt.inApp.contains { $0.productType == .autoRenewable })
        // A receipt without purchases does not say whose it is.
        guard let buyer = found else { return ReceiptNews(now: now, reasons: [:], news: nil) }
        let contents = try receiptContents(of: buyer)
        let reasons = contents.refundReasons(of: receipt.inApp)
        guard request.password != nil, contents.hasSubscriptions else {
            return ReceiptNews(now: now, reasons: reasons, news: nil)
        }
        let presenter = try Presenter(app, customer: buyer.customer, in: session)
        return ReceiptNews(
            now: now, reasons: reasons,
            news: ReceiptNews.News(
                transactions: contents.transactions(
                    excludingOld: request.excludeOldTransactions == true),
                pending: try newest(customer: buyer.customer, app: app, by: presenter)
                    .compactMap { PendingRenewalInfo($0, of: app) },
                latest: try self.receipt(of: buyer, in: environment),
                identity: try identity(sealing: receipt, of: buyer)))
    }

    fileprivate func answer(
        _ receipt: TransactionReceipt, _ request: VerifyReceiptRequest,
        in environment: StoreEnvironment
    ) throws -> TransactionNews? {
        let app = try app(receipt.bundleID)
        let buyer = try buyer(of: receipt.transaction.transactionId, app, environment)
        // Only auto-renewable subscriptions have an end.
        try check(
            request.password, of: app, isRequired: receipt.transaction.expiresDate != nil)
        let original = receipt.transaction.originalTransactionId
        let presenter = try Presenter(app, customer: buyer.customer, in: session)
        let found = try newest(customer: buyer.customer, app: app, by: presenter)
            .first { String($0.originalID) == original }
        guard request.password != nil, let found,
            let id = Int64(found.transaction.transactionId),
            let newest = try TransactionRecord.find(id, in: session)
        else { return nil }
        return TransactionNews(
            latest: try transactionReceipt(
                newest,
                on: receipt.uniqueVendorIdentifier?.lowercasedUUID
                    ?? identity(of: nil, customer: buyer.customer, in: session)),
            isExpired: !found.isEntitled, renewal: found.renewal)
    }

    /// A receipt that was signed here is of an app that was here.
    private func app(_ bundleID: String) throws -> App {
        guard let app = try? apps.find(bundleID: bundleID) else {
            throw Refusal(status: .unknownAccount)
        }
        return app
    }

    /// Who bought what a receipt tells of.
    private func buyer(
        of transaction: String, _ app: App, _ environment: StoreEnvironment
    ) throws -> TransactionRecord.Selection {
        guard let id = Int64(identifier: transaction),
            let owner = try AppOwner.find(
                transaction: id, app: app.id, environment, in: session)
        else { throw Refusal(status: .unknownAccount) }
        return .init(customer: owner.customer, app: app.id)
    }

    /// A secret that is given must be the app's or the primary one. A receipt with auto-renewable
    /// subscriptions needs one (RCP-2).
    private func check(_ password: String?, of app: App, isRequired: Bool) throws {
        guard let password else {
            if isRequired { throw Refusal(status: .wrongSecret) }
            return
        }
        let known = try SharedSecret.all(for: app.id, in: session)
        guard known.contains(where: { $0.matches(password) }) else {
            throw Refusal(status: .wrongSecret)
        }
    }

    /// The device that a receipt is of, as far as it can be told.
    private func identity(
        sealing receipt: AppReceipt, of buyer: TransactionRecord.Selection
    ) throws -> String {
        let seed = try World.seed(in: session)
        let devices: [DeviceQueue?] = try DeviceRecord.all(
            ofCustomer: buyer.customer, app: buyer.app, in: session
        ).map(\.queue)
        let known = (devices + [nil]).map {
            DeviceIdentity.text(of: $0, customer: buyer.customer, seed: seed)
        }
        return known.first { receipt.isSealed(forDevice: DeviceIdentity.bytes($0)) } ?? known[0]
    }
}
