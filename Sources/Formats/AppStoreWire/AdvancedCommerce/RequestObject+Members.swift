// The members that several Advanced Commerce requests have, each with its numbers.

extension RequestObject {
    /// What every request has to say of itself.
    func requestInfo() throws(APIError) -> AdvancedCommerceRequestInfo {
        try AdvancedCommerceRequestInfo(
            reading: object("requestInfo", or: Refusal.nullRequestInfo))
    }

    /// What every in-app request begins with.
    func header(_ operation: String) throws(APIError) -> AdvancedCommerceRequestInfo {
        try require(text("operation") == operation, or: Refusal.invalidOperation)
        try require(text("version", or: Refusal.nullVersion) == "1", or: Refusal.unexpectedVersion)
        return try requestInfo()
    }

    /// A text of one line that is not empty, at most `longest` Unicode scalars long.
    private func line(
        _ name: String, _ longest: Int, tooLong: APIError, invalid: APIError
    ) throws(APIError) -> String? {
        guard let text = try text(name) else { return nil }
        try require(text.unicodeScalars.count <= longest, or: tooLong)
        let isLine = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        try require(isLine && text.contains { !$0.isWhitespace }, or: invalid)
        return text
    }

    func optionalSKU(
        _ name: String = "SKU", tooLong: APIError = Refusal.skuLengthExceeded
    ) throws(APIError) -> String? {
        try line(name, AdvancedCommerceLimit.sku, tooLong: tooLong, invalid: Refusal.invalidSKU)
    }

    func sku(
        _ name: String = "SKU", or missing: APIError = Refusal.nullSKU,
        tooLong: APIError = Refusal.skuLengthExceeded
    ) throws(APIError) -> String {
        guard let sku = try optionalSKU(name, tooLong: tooLong) else { throw refusal(missing) }
        return sku
    }

    func optionalDisplayName() throws(APIError) -> String? {
        try line(
            "displayName", AdvancedCommerceLimit.displayName,
            tooLong: Refusal.displayNameLengthExceeded, invalid: Refusal.invalidDisplayName)
    }

    func displayName() throws(APIError) -> String {
        guard let name = try optionalDisplayName() else { throw refusal(Refusal.nullDisplayName) }
        return name
    }

    func optionalDescription() throws(APIError) -> String? {
        try line(
            "description", AdvancedCommerceLimit.description,
            tooLong: Refusal.descriptionLengthExceeded, invalid: Refusal.invalidDescription)
    }

    func description() throws(APIError) -> String {
        guard let text = try optionalDescription() else { throw refusal(Refusal.nullDescription) }
        return text
    }

    private static let tooHigh = Refusal.invalidAmount.saying(
        "The price is more than the store takes: send at most \(AdvancedCommerceLimit.price) "
            + "milliunits.")

    func price() throws(APIError) -> Int64 {
        let price = try number("price", or: Refusal.nullPrice)
        try require(price >= 0, or: Refusal.negativePrice)
        try require(price <= AdvancedCommerceLimit.price, or: Self.tooHigh)
        return price
    }

    func period() throws(APIError) -> AdvancedCommercePeriod {
        try choice("period", or: Refusal.nullPeriod, unknown: Refusal.invalidRenewalPeriod)
    }

    func effective() throws(APIError) -> AdvancedCommerceEffective {
        try choice(
            "effective", or: Refusal.nullEffective,
            unknown: Refusal.malformedPayload.saying(
                "`effective` is not known: send IMMEDIATELY or NEXT_BILL_CYCLE."))
    }

    /// Three capital letters of ASCII: which codes there are, the store knows.
    private func code(_ name: String, or invalid: APIError) throws(APIError) -> String? {
        guard let code = try text(name) else { return nil }
        let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        try require(isCode, or: invalid)
        return code
    }

    func storefront() throws(APIError) -> String? {
        try code("storefront", or: Refusal.invalidStorefront)
    }

    func optionalCurrency() throws(APIError) -> String? {
        try code("currency", or: Refusal.invalidCurrency)
    }

    func currency() throws(APIError) -> String {
        guard let currency = try optionalCurrency() else { throw refusal(Refusal.nullCurrency) }
        return currency
    }

    /// A tax code among `known`, those of one kind of product.
    func optionalTaxCode(
        _ known: Set<String> = AdvancedCommerceTaxCategory.subscriptionCodes
    ) throws(APIError) -> String? {
        guard let code = try text("taxCode") else { return nil }
        try require(known.contains(code), or: Refusal.invalidTaxProductCode)
        return code
    }

    func taxCode(
        _ known: Set<String> = AdvancedCommerceTaxCategory.subscriptionCodes
    ) throws(APIError) -> String {
        guard let code = try optionalTaxCode(known) else { throw refusal(Refusal.nullTaxCode) }
        return code
    }

    /// An identifier of a transaction: as the store writes them, which says nothing of whose it is.
    func optionalTransactionID(
        _ name: String, or invalid: APIError
    ) throws(APIError) -> String? {
        guard let id = try text(name) else { return nil }
        try require(Int64(identifier: id) != nil, or: invalid)
        return id
    }

    func transactionID() throws(APIError) -> String {
        let id = try optionalTransactionID("transactionId", or: Refusal.invalidTransactionId)
        guard let id else { throw refusal(Refusal.nullTransactionId) }
        return id
    }

    // MARK: Of several items

    /// Refuses a SKU that stands there twice.
    func requireOnce(
        _ skus: [String], or error: APIError = Refusal.multipleOperationsOnSingleSKU
    ) throws(APIError) {
        try require(Set(skus).count == skus.count, or: error)
    }

    /// Refuses an item that is called as the whole subscription is.
    func requireOtherNames(
        _ names: [String?], than descriptors: String?
    ) throws(APIError) {
        guard let descriptors else { return }
        try require(!names.contains(descriptors), or: Refusal.invalidDisplayName)
    }
}
