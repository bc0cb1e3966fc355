// Each member of each request: absent, of another type, out of its form.

extension CommerceCase {
    private static let common = CommerceRequest.allCases.flatMap { request in
        [
            CommerceCase(4_000_079, request, "requestInfo"),
            CommerceCase(4_000_079, request, "requestInfo=null"),
            CommerceCase(4_000_080, request, "requestInfo.requestReferenceId"),
            CommerceCase(4_000_081, request, #"requestInfo.requestReferenceId="""#),
            CommerceCase(
                4_000_081, request,
                #"requestInfo.requestReferenceId="7c80bb86f8924b21a9191357811d6c4f""#),
            CommerceCase(4_000_082, request, #"requestInfo.consistencyToken="""#),
            CommerceCase(
                4_000_082, request,
                #"requestInfo.consistencyToken="12345.7c80bb86-f892-4b21-a919-1357811d6c4f""#),
            CommerceCase(
                4_000_082, request,
                #"requestInfo.consistencyToken="1.2.7c80bb86-f892-4b21-a919-1357811d6c4f.3""#),
            CommerceCase(4_000_033, request, #"requestInfo.appAccountToken="me""#),
            CommerceCase(4_000_173, request, "requestInfo=7"),
            CommerceCase(4_000_173, request, "requestInfo=[]"),
            CommerceCase(4_000_173, request, "requestInfo.requestReferenceId=7"),
            CommerceCase(4_000_028, request, #"storefront="us""#),
            CommerceCase(4_000_028, request, #"storefront="usa""#),
            CommerceCase(4_000_028, request, #"storefront="""#),
            CommerceCase(4_000_173, request, "storefront=840"),
        ]
    }

    private static let header = [CommerceRequest.oneTimeCharge, .create, .modify, .reactivate]
        .flatMap { request in
            [
                CommerceCase(4_000_172, request, "operation"),
                CommerceCase(4_000_172, request, #"operation="CANCEL_SUBSCRIPTION""#),
                CommerceCase(4_000_173, request, "operation=1"),
                CommerceCase(4_000_083, request, "version"),
                CommerceCase(4_000_084, request, #"version="2""#),
                CommerceCase(4_000_084, request, #"version="1.0""#),
                CommerceCase(4_000_173, request, "version=1"),
            ]
        }

    /// Where SKUs, names, texts and prices stand, and what a SKU that is too long gets there.
    private static func items(
        _ request: CommerceRequest, _ item: String, nullSKU: Int64 = 4_000_105,
        texts: Bool = true, price: Bool = true
    ) -> [CommerceCase] {
        var cases = [
            CommerceCase(nullSKU, request, Edit("\(item).SKU", nil)),
            CommerceCase(4_000_087, request, Edit("\(item).SKU", letters(129))),
            CommerceCase(4_000_122, request, Edit("\(item).SKU", letters(0))),
            CommerceCase(4_000_122, request, Edit("\(item).SKU", #""a\nb""#)),
            CommerceCase(4_000_173, request, Edit("\(item).SKU", "7")),
            CommerceCase(4_000_173, request, Edit(item, #""beds""#)),
        ]
        if texts {
            cases += [
                CommerceCase(4_000_106, request, Edit("\(item).displayName", nil)),
                CommerceCase(4_000_107, request, Edit("\(item).description", nil)),
            ]
            cases += Self.texts(request, item)
        }
        if price {
            cases += [
                CommerceCase(4_000_109, request, Edit("\(item).price", nil)),
                CommerceCase(4_000_086, request, Edit("\(item).price", "-1")),
                CommerceCase(4_000_132, request, Edit("\(item).price", "1000000000001")),
                CommerceCase(4_000_173, request, Edit("\(item).price", "9.99")),
                CommerceCase(4_000_173, request, Edit("\(item).price", #""9990""#)),
                CommerceCase(4_000_173, request, Edit("\(item).price", "9223372036854775808")),
            ]
        }
        return cases
    }

    private static func texts(_ request: CommerceRequest, _ place: String) -> [CommerceCase] {
        [
            CommerceCase(4_000_089, request, Edit("\(place).displayName", letters(31))),
            CommerceCase(4_000_088, request, Edit("\(place).description", letters(46))),
            CommerceCase(4_000_118, request, Edit("\(place).displayName", letters(0))),
            CommerceCase(4_000_118, request, Edit("\(place).displayName", #""a\u0007b""#)),
            CommerceCase(4_000_119, request, Edit("\(place).description", #""  ""#)),
        ]
    }

    private static func currency(_ request: CommerceRequest) -> [CommerceCase] {
        [
            CommerceCase(4_000_053, request, #"currency="usd""#),
            CommerceCase(4_000_053, request, #"currency="US$""#),
            CommerceCase(4_000_173, request, "currency=840"),
        ]
    }

    /// - Parameter other: a code of the other kind of product.
    private static func taxCode(
        _ request: CommerceRequest, other: String = #"taxCode="C003-00-2""#
    ) -> [CommerceCase] {
        [
            CommerceCase(4_000_127, request, Edit(stringLiteral: other)),
            CommerceCase(4_000_127, request, #"taxCode="C003""#),
            CommerceCase(4_000_127, request, #"taxCode="c003-00-1""#),
        ]
    }

    static let members =
        common + header + items(.oneTimeCharge, "item") + items(.create, "items.0")
        + items(.modify, "addItems.0") + items(.changePrice, "items.0", texts: false)
        + items(.migrate, "items.0", price: false)
        + items(.requestRefund, "items.0", texts: false, price: false)
        + texts(.create, "descriptors") + texts(.migrate, "descriptors")
        + currency(.oneTimeCharge) + currency(.create) + currency(.modify)
        + currency(.changePrice) + currency(.requestRefund)
        + taxCode(.oneTimeCharge, other: #"taxCode="C003-00-1""#) + taxCode(.create)
        + taxCode(.modify) + taxCode(.changeMetadata) + taxCode(.migrate) + [
            CommerceCase(4_000_127, .create, #"taxCode="C025-00-2""#),
            CommerceCase(4_000_098, .oneTimeCharge, "currency"),
            CommerceCase(4_000_099, .oneTimeCharge, "taxCode"),
            CommerceCase(4_000_102, .oneTimeCharge, "item"),
            CommerceCase(4_000_098, .create, "currency"),
            CommerceCase(4_000_099, .create, "taxCode"),
            CommerceCase(4_000_103, .create, "descriptors"),
            CommerceCase(4_000_106, .create, "descriptors.displayName"),
            CommerceCase(4_000_107, .create, "descriptors.description"),
            CommerceCase(4_000_104, .create, "period"),
            CommerceCase(4_000_130, .create, #"period="P2W""#),
            CommerceCase(4_000_101, .create, "items"),
            CommerceCase(4_000_160, .create, "items=[]"),
            CommerceCase(4_000_173, .create, "items={}"),
            CommerceCase(4_000_096, .create, #"previousTransactionId="abc""#),
            CommerceCase(4_000_096, .create, #"previousTransactionId="007""#),
            CommerceCase(4_000_085, .modify, "transactionId"),
            CommerceCase(4_000_006, .modify, #"transactionId="-1""#),
            CommerceCase(4_000_110, .modify, "retainBillingCycle"),
            CommerceCase(4_000_173, .modify, #"retainBillingCycle="true""#),
            CommerceCase(4_000_085, .reactivate, "transactionId"),
            CommerceCase(4_000_006, .reactivate, #"transactionId="""#),
            CommerceCase(4_000_160, .reactivate, "items=[]"),
            CommerceCase(4_000_105, .reactivate, "items=[{}]"),
            CommerceCase(4_000_173, .reactivate, #"items={"SKU":"beds"}"#),
            CommerceCase(4_000_101, .changePrice, "items"),
            CommerceCase(4_000_101, .changePrice, "items=[]"),
            CommerceCase(4_000_101, .migrate, "items"),
            CommerceCase(4_000_160, .migrate, "items=[]"),
            CommerceCase(4_000_160, .migrate, "renewalItems=[]"),
            CommerceCase(4_000_106, .migrate, #"renewalItems=[{"SKU":"trees"}]"#),
            CommerceCase(4_000_103, .migrate, "descriptors"),
            CommerceCase(4_000_166, .migrate, "targetProductId"),
            CommerceCase(4_000_167, .migrate, #"targetProductId="""#),
            CommerceCase(4_000_099, .migrate, "taxCode"),
            CommerceCase(4_000_156, .revoke, "refundReason"),
            CommerceCase(4_000_124, .revoke, #"refundReason="BORED""#),
            CommerceCase(4_000_157, .revoke, "refundType"),
            CommerceCase(4_000_123, .revoke, #"refundType="HALF""#),
            CommerceCase(4_000_123, .revoke, #"refundType="CUSTOM""#),
            CommerceCase(4_000_159, .revoke, "refundRiskingPreference"),
            CommerceCase(4_000_173, .revoke, "refundRiskingPreference=1"),
            CommerceCase(4_000_101, .requestRefund, "items"),
            CommerceCase(4_000_101, .requestRefund, "items=[]"),
            CommerceCase(4_000_156, .requestRefund, "items.0.refundReason"),
            CommerceCase(4_000_124, .requestRefund, #"items.0.refundReason="BORED""#),
            CommerceCase(4_000_157, .requestRefund, "items.0.refundType"),
            CommerceCase(4_000_123, .requestRefund, #"items.0.refundType="HALF""#),
            CommerceCase(4_000_173, .requestRefund, "items.0.revoke"),
            CommerceCase(4_000_159, .requestRefund, "refundRiskingPreference"),
        ]
}
