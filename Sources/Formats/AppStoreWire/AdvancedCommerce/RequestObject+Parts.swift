/// Members that only some Advanced Commerce requests have.
extension AdvancedCommerceDescriptors {
    init(reading object: RequestObject) throws(APIError) {
        try self.init(displayName: object.displayName(), description: object.description())
    }
}

extension RequestObject {
    /// What is charged at once for the rest of a period whose full price is `price`.
    func proratedPrice(of price: Int64) throws(APIError) -> Int64? {
        guard let prorated = try number("proratedPrice") else { return nil }
        try require(prorated >= 0, or: Refusal.negativeProratedPrice)
        try require(prorated <= price, or: Refusal.invalidProratedPrice)
        return prorated
    }

    func dependentSKUs() throws(APIError) -> [String]? {
        guard let elements = try array("dependentSKUs") else { return nil }
        try require(
            elements.count <= AdvancedCommerceLimit.items, or: Refusal.moreItemsThanAllowed)
        var skus: [String] = []
        for element in elements {
            // An object of its own, so that a SKU is a SKU wherever it stands.
            skus.append(try RequestObject(.object(["SKU": element]), at: place).sku())
        }
        return skus
    }

    func refundReason() throws(APIError) -> AdvancedCommerceRefundReason {
        try choice(
            "refundReason", or: Refusal.nullRefundReason, unknown: Refusal.invalidRefundReason)
    }

    func refundType() throws(APIError) -> AdvancedCommerceRefundType {
        try choice("refundType", or: Refusal.nullRefundType, unknown: Refusal.invalidRefundType)
    }
}
