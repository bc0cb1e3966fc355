import AppStoreWire

extension AppReceipt {
    /// The receipt as it is stored: a transaction is attribute 17.
    public var attributes: [ReceiptAttribute] { attributes(with: encodedTransactions) }

    /// The values of the attributes 17.
    var encodedTransactions: [[UInt8]] {
        inApp.map {
            ReceiptAttribute.encode($0.attributes(leavesOutEmpty: environment == .xcode))
        }
    }

    func attributes(with transactions: [[UInt8]]) -> [ReceiptAttribute] {
        let isXcode = environment == .xcode
        var attributes: [ReceiptAttribute] = [
            .text(0, environment.rawValue), .text(2, bundleID), .text(3, appVersion),
            // Real receipts have a 2 here.
            ReceiptAttribute(type: 4, version: isXcode ? 1 : 2, value: opaqueValue),
            ReceiptAttribute(type: 5, value: deviceHash), .date(12, creationDate),
        ]
        func add(_ attribute: ReceiptAttribute?) {
            if let attribute { attributes.append(attribute) }
        }
        add(appAppleID.map { .integer(1, $0) })
        add(opaqueSix.map { ReceiptAttribute(type: 6, value: $0) })
        add(opaqueSeven.map { ReceiptAttribute(type: 7, value: $0) })
        if requestDate != nil || !isXcode { add(.date(8, requestDate)) }
        add(toolVersion.map { .integer(9, $0) })
        add(ageRating.map { .ascii(10, $0) })
        add(developerID.map { .integer(11, $0) })
        add(downloadID.map { .integer(15, $0) })
        add(versionExternalIdentifier.map { .integer(16, $0) })
        add(originalPurchaseDate.map { .date(18, $0) })
        add(originalAppVersion.map { .text(19, $0) })
        add(expirationDate.map { .date(21, $0) })
        for transaction in transactions { add(ReceiptAttribute(type: 17, value: transaction)) }
        return attributes + otherAttributes
    }

    /// Reads a receipt's payload; nothing of it is verified.
    ///
    /// Throws ``ReceiptVerificationError/Code/malformed`` if it is no set of attributes, one that
    /// every receipt has is missing or there twice, or one is not of its type.
    public init(payload: [UInt8]) throws(ReceiptVerificationError) {
        try self.init(attributes: ReceiptAttribute.decode(payload: payload))
    }

    init(attributes: [ReceiptAttribute]) throws(ReceiptVerificationError) {
        var fields = ReceiptFields(attributes, repeating: 17, "The receipt")
        let creationDate = try fields.date(12)
        let transactions = try fields.transactions()
        self.init(
            environment: ReceiptEnvironment(rawValue: try fields.text(0) ?? ""),
            bundleID: try fields.needed(2, fields.text(2)),
            appVersion: try fields.needed(3, fields.text(3)),
            creationDate: try fields.needed(12, creationDate), inApp: transactions,
            appAppleID: try fields.integer(1), requestDate: try fields.date(8),
            toolVersion: try fields.integer(9), ageRating: try fields.text(10),
            developerID: try fields.integer(11), downloadID: try fields.integer(15),
            versionExternalIdentifier: try fields.integer(16),
            originalPurchaseDate: try fields.date(18), originalAppVersion: try fields.text(19),
            expirationDate: try fields.date(21), otherAttributes: [])
        opaqueValue = try fields.needed(4, fields.bytes(4))
        deviceHash = try fields.needed(5, fields.bytes(5))
        opaqueSix = try fields.bytes(6)
        opaqueSeven = try fields.bytes(7)
        otherAttributes = fields.rest
    }
}

extension InAppReceipt {
    /// The transaction as it is stored inside of attribute 17.
    ///
    /// - Parameter leavesOutEmpty: whether a date that there is not is left out, as Xcode does, or
    ///   written as an empty text.
    public func attributes(leavesOutEmpty: Bool = false) -> [ReceiptAttribute] {
        var attributes: [ReceiptAttribute] = [
            .integer(1701, quantity), .text(1702, productID), .text(1703, transactionID),
            .date(1704, purchaseDate),
        ]
        func add(_ attribute: ReceiptAttribute?) {
            if let attribute { attributes.append(attribute) }
        }
        func flag(_ type: Int64, _ value: Bool?) {
            add(value.map { .integer(type, $0 ? 1 : 0) })
        }
        add(originalTransactionID.map { .text(1705, $0) })
        add(originalPurchaseDate.map { .date(1706, $0) })
        add(productType.map { .integer(1707, $0.rawValue) })
        if expiresDate != nil || !leavesOutEmpty { add(.date(1708, expiresDate)) }
        add(storeItemID.map { .integer(1710, $0) })
        add(webOrderLineItemID.map { .integer(1711, $0) })
        if cancellationDate != nil || !leavesOutEmpty { add(.date(1712, cancellationDate)) }
        flag(1713, isTrialPeriod)
        flag(1719, isInIntroOfferPeriod)
        add(promotionalOfferID.map { .text(1721, $0) })
        return attributes + otherAttributes
    }

    init(attributes: [ReceiptAttribute]) throws(ReceiptVerificationError) {
        var fields = ReceiptFields(attributes, repeating: nil, "A transaction")
        self.init(
            quantity: try fields.needed(1701, fields.integer(1701)),
            productID: try fields.needed(1702, fields.text(1702)),
            transactionID: try fields.needed(1703, fields.text(1703)),
            purchaseDate: try fields.needed(1704, fields.date(1704)),
            originalTransactionID: try fields.text(1705),
            originalPurchaseDate: try fields.date(1706), productType: try fields.productType(),
            expiresDate: try fields.date(1708), storeItemID: try fields.integer(1710),
            webOrderLineItemID: try fields.integer(1711),
            cancellationDate: try fields.date(1712), isTrialPeriod: try fields.flag(1713),
            isInIntroOfferPeriod: try fields.flag(1719),
            promotionalOfferID: try fields.text(1721), otherAttributes: [])
        otherAttributes = fields.rest
    }
}

/// The attributes of one set, taken out one after the other.
private struct ReceiptFields {
    /// What nobody has taken, in its order.
    private(set) var rest: [ReceiptAttribute]
    private var repeated: [[UInt8]] = []
    private let what: String

    /// - Parameter repeating: the one known type that may be there more than once.
    init(_ attributes: [ReceiptAttribute], repeating: Int64?, _ what: String) {
        self.what = what
        rest = attributes.filter { $0.type != repeating }
        repeated = attributes.filter { $0.type == repeating }.map(\.value)
    }

    func needed<Value>(
        _ type: Int64, _ value: Value?
    ) throws(ReceiptVerificationError) -> Value {
        guard let value else {
            throw ReceiptVerificationError(.malformed, "\(what) has no attribute \(type).")
        }
        return value
    }

    private func wrong(_ type: Int64, _ kind: String) -> ReceiptVerificationError {
        ReceiptVerificationError(
            .malformed, "Attribute \(type) of \(what.lowercasedFirst) is not \(kind).")
    }

    mutating func bytes(_ type: Int64) throws(ReceiptVerificationError) -> [UInt8]? {
        guard let index = rest.firstIndex(where: { $0.type == type }) else { return nil }
        let value = rest.remove(at: index).value
        guard !rest.contains(where: { $0.type == type }) else {
            throw ReceiptVerificationError(.malformed, "\(what) has attribute \(type) twice.")
        }
        return value
    }

    mutating func integer(_ type: Int64) throws(ReceiptVerificationError) -> Int64? {
        guard let value = try bytes(type) else { return nil }
        guard case .integer(let number) = ReceiptAttributeValue(value) else {
            throw wrong(type, "a whole number of 64 bits")
        }
        return number
    }

    mutating func flag(_ type: Int64) throws(ReceiptVerificationError) -> Bool? {
        guard let number = try integer(type) else { return nil }
        guard number == 0 || number == 1 else { throw wrong(type, "0 or 1") }
        return number == 1
    }

    /// A kind of product that nobody has seen yet stays with the rest.
    mutating func productType() throws(ReceiptVerificationError) -> InAppReceipt.ProductType? {
        let before = rest
        let type = try integer(1707).flatMap(InAppReceipt.ProductType.init(rawValue:))
        if type == nil { rest = before }
        return type
    }

    mutating func text(_ type: Int64) throws(ReceiptVerificationError) -> String? {
        guard let value = try bytes(type) else { return nil }
        guard case .text(let text) = ReceiptAttributeValue(value) else {
            throw wrong(type, "text")
        }
        return text
    }

    /// An empty text is no date.
    mutating func date(_ type: Int64) throws(ReceiptVerificationError) -> Int64? {
        guard let text = try text(type), !text.isEmpty else { return nil }
        guard let milliseconds = ReceiptDateText.read(text) else {
            throw wrong(type, "a date of RFC 3339")
        }
        return milliseconds
    }

    func transactions() throws(ReceiptVerificationError) -> [InAppReceipt] {
        var transactions: [InAppReceipt] = []
        for value in repeated {
            transactions.append(
                try InAppReceipt(
                    attributes: ReceiptAttribute.read(
                        value, limit: ReceiptLimit.transactionAttributes, "A transaction")))
        }
        return transactions
    }
}

extension String {
    /// For the middle of a sentence.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
