public import AppStoreWire
import FoundationEssentials

/// The receipt of one transaction, as apps for iOS 6 and older send it (RCP-3.5).
///
/// It is a property list around another one, `purchase-info`, and a signature. All instants are in
/// milliseconds since 1970 UTC.
public struct TransactionReceipt: Sendable, Hashable {
    /// What was bought.
    public var transaction: ReceiptTransaction
    /// The app's bundle id: `bid`.
    public var bundleID: String
    /// The app's version: `bvrs`.
    public var bundleVersion: String
    /// The product's number in the store: `item-id`.
    public var itemID: String?
    /// The device that bought: `unique-identifier`.
    public var uniqueIdentifier: String?
    /// The device, as the developer knows it: `unique-vendor-identifier`.
    public var uniqueVendorIdentifier: String?
    /// Where it comes from: in production the list does not say so.
    public var environment: Environment
    /// Which of the store's machines made it.
    public var pod: String

    /// Makes the value; what is not given stays absent.
    ///
    /// - Parameter transaction: of it, what receipts of that age do not have is left out.
    public init(
        transaction: ReceiptTransaction, bundleID: String, bundleVersion: String,
        itemID: String? = nil, uniqueIdentifier: String? = nil,
        uniqueVendorIdentifier: String? = nil, environment: Environment, pod: String = "100"
    ) {
        self.transaction = transaction
        self.bundleID = bundleID
        self.bundleVersion = bundleVersion
        self.itemID = itemID
        self.uniqueIdentifier = uniqueIdentifier
        self.uniqueVendorIdentifier = uniqueVendorIdentifier
        self.environment = environment
        self.pod = pod
    }

    /// Longer ones are not read, in bytes.
    public static let sizeLimit = 65_536

    /// How verifyReceipt tells it.
    public var info: TransactionReceiptInfo {
        TransactionReceiptInfo(
            transaction: transaction, bundleId: bundleID, bundleVersion: bundleVersion,
            itemId: itemID, uniqueIdentifier: uniqueIdentifier,
            uniqueVendorIdentifier: uniqueVendorIdentifier)
    }

    /// What is signed of the transaction: the text of `purchase-info` before it is in Base64.
    public var purchaseInfo: [UInt8] {
        var list = OldPropertyList()
        func add(_ name: String, dates milliseconds: Int64?) {
            guard let milliseconds else { return }
            list.add(name, ReceiptDateForms.universal(milliseconds))
            list.add("\(name)-ms", String(milliseconds))
            list.add("\(name)-pst", ReceiptDateForms.pacific(milliseconds))
        }
        add("original-purchase-date", dates: transaction.originalPurchaseDate)
        list.add("original-transaction-id", transaction.originalTransactionId)
        list.add("transaction-id", transaction.transactionId)
        list.add("quantity", String(transaction.quantity))
        list.add("product-id", transaction.productId)
        add("purchase-date", dates: transaction.purchaseDate)
        if let date = transaction.expiresDate {
            list.add("expires-date", String(date))
            list.add("expires-date-formatted", ReceiptDateForms.universal(date))
            list.add("expires-date-formatted-pst", ReceiptDateForms.pacific(date))
        }
        list.add("web-order-line-item-id", transaction.webOrderLineItemId)
        list.add("is-trial-period", transaction.isTrialPeriod.map(String.init))
        list.add("is-in-intro-offer-period", transaction.isInIntroOfferPeriod.map(String.init))
        add("cancellation-date", dates: transaction.cancellationDate)
        list.add("item-id", itemID)
        list.add("bid", bundleID)
        list.add("bvrs", bundleVersion)
        list.add("unique-identifier", uniqueIdentifier)
        list.add("unique-vendor-identifier", uniqueVendorIdentifier)
        return list.bytes
    }

    /// The list around `purchase-info`, without a signature.
    var unsignedList: OldPropertyList {
        var list = OldPropertyList()
        list.add("purchase-info", Data(purchaseInfo).base64EncodedString())
        list.add("environment", environment == .production ? nil : environment.rawValue)
        list.add("pod", pod)
        list.add("signing-status", "0")
        return list
    }
}

extension TransactionReceipt {
    /// A receipt as it was read, with what has to be verified of it.
    struct Signed {
        let receipt: TransactionReceipt
        let signature: [UInt8]
        let unsignedList: OldPropertyList
    }

    /// Reads a receipt; nothing of it is verified.
    ///
    /// Throws ``ReceiptVerificationError/Code/malformed`` or
    /// ``ReceiptVerificationError/Code/tooLarge``.
    public init(parsing bytes: [UInt8]) throws(ReceiptVerificationError) {
        self = try Self.read(bytes).receipt
    }

    static func read(_ bytes: [UInt8]) throws(ReceiptVerificationError) -> Signed {
        guard bytes.count <= sizeLimit else {
            throw ReceiptVerificationError(
                .tooLarge, "The receipt is longer than \(sizeLimit) bytes.")
        }
        let outer = try list(bytes, "The receipt")
        let signature = try data("signature", in: outer)
        let purchaseInfo = try data("purchase-info", in: outer)
        let inner = Fields(list: try list(purchaseInfo, "purchase-info"))
        let receipt = TransactionReceipt(
            transaction: try inner.transaction(), bundleID: try inner.needed("bid"),
            bundleVersion: try inner.needed("bvrs"), itemID: inner.list["item-id"],
            uniqueIdentifier: inner.list["unique-identifier"],
            uniqueVendorIdentifier: inner.list["unique-vendor-identifier"],
            environment: outer["environment"].map(Environment.init(rawValue:)) ?? .production,
            pod: outer["pod"] ?? "")
        return Signed(receipt: receipt, signature: signature, unsignedList: outer.unsigned)
    }

    private static func list(
        _ bytes: [UInt8], _ what: String
    ) throws(ReceiptVerificationError) -> OldPropertyList {
        do { return try OldPropertyList(parsing: bytes) } catch {
            throw ReceiptVerificationError(error, in: what)
        }
    }

    /// In the one form that Base64 gives it.
    private static func data(
        _ name: String, in list: OldPropertyList
    ) throws(ReceiptVerificationError) -> [UInt8] {
        guard let text = list[name], let data = Data(base64Encoded: text),
            data.base64EncodedString() == text
        else { throw ReceiptVerificationError(.malformed, "`\(name)` is not there in Base64.") }
        return Array(data)
    }
}

/// The texts of `purchase-info`, each read as what it has to be.
private struct Fields {
    let list: OldPropertyList

    func needed(_ name: String) throws(ReceiptVerificationError) -> String {
        guard let text = list[name] else {
            throw ReceiptVerificationError(.malformed, "`purchase-info` has no `\(name)`.")
        }
        return text
    }

    private func read<Value>(
        _ name: String, _ kind: String, _ parse: (String) -> Value?
    ) throws(ReceiptVerificationError) -> Value? {
        guard let text = list[name] else { return nil }
        guard let value = parse(text) else {
            throw ReceiptVerificationError(
                .malformed, "`\(name)` of `purchase-info` is not \(kind).")
        }
        return value
    }

    func number(_ name: String) throws(ReceiptVerificationError) -> Int64? {
        try read(name, "a whole number") { Int64($0) }
    }

    func neededNumber(_ name: String) throws(ReceiptVerificationError) -> Int64 {
        guard let number = try number(name) else {
            throw ReceiptVerificationError(.malformed, "`purchase-info` has no `\(name)`.")
        }
        return number
    }

    func transaction() throws(ReceiptVerificationError) -> ReceiptTransaction {
        ReceiptTransaction(
            quantity: try neededNumber("quantity"), productId: try needed("product-id"),
            transactionId: try needed("transaction-id"),
            originalTransactionId: try needed("original-transaction-id"),
            purchaseDate: try neededNumber("purchase-date-ms"),
            originalPurchaseDate: try neededNumber("original-purchase-date-ms"),
            expiresDate: try number("expires-date"),
            webOrderLineItemId: list["web-order-line-item-id"],
            isTrialPeriod: try read("is-trial-period", "true or false") { Bool($0) },
            isInIntroOfferPeriod: try read("is-in-intro-offer-period", "true or false") {
                Bool($0)
            },
            cancellationDate: try number("cancellation-date-ms"))
    }
}
