// Requests with every member, and requests at their limits.

extension CommerceRequest {
    private static let info =
        #""requestInfo":{"requestReferenceId":"7c80bb86-f892-4b21-a919-1357811d6c4f","#
        + #""appAccountToken":"3152947d-8f63-41c2-9a91-e92e45f145e9","#
        + #""consistencyToken":"1.12345.932c6903-0ab8-4469-9f21-015f6fab013c"}"#
    private static let offer =
        #""offer":{"period":"P1M","periodCount":3,"price":2990,"reason":"WIN_BACK"}"#
    private static let texts = #""displayName":"Bäume","description":"Alle Bäume""#

    static let full: [(CommerceRequest, String)] = [
        (
            .oneTimeCharge,
            #"{"operation":"CREATE_ONE_TIME_CHARGE","version":"1",\#(info),"currency":"EUR","#
                + #""taxCode":"S019-01-2","storefront":"DEU","#
                + #""item":{"SKU":"seeds",\#(texts),"price":0}}"#
        ),
        (
            .create,
            #"{"operation":"CREATE_SUBSCRIPTION","version":"1",\#(info),"currency":"EUR","#
                + #""taxCode":"S021-08-1","descriptors":{"displayName":"Garten","#
                + #""description":"Ja"},"#
                + #""period":"P6M","previousTransactionId":"12345","storefront":"DEU","#
                + #""items":[{"SKU":"trees",\#(texts),"price":7990,\#(offer)},"#
                + #"{"SKU":"beds",\#(texts),"price":2990}]}"#
        ),
        (
            .modify,
            #"{"operation":"MODIFY_SUBSCRIPTION","version":"1","transactionId":"12345",\#(info),"#
                + #""currency":"EUR","taxCode":"C003-00-1","storefront":"DEU","#
                + #""descriptors":{"effective":"NEXT_BILL_CYCLE","displayName":"Garten","#
                + #""description":"Ja"},"periodChange":{"effective":"NEXT_BILL_CYCLE","#
                + #""period":"P1Y"},"retainBillingCycle":true,"changeItems":[{"currentSKU":"beds","#
                + #""SKU":"trees",\#(texts),"price":7990,\#(offer),"effective":"NEXT_BILL_CYCLE","#
                + #""reason":"APPLY_OFFER"}],"removeItems":[{"SKU":"hedges"}]}"#
        ),
        (
            .modify,
            #"{"operation":"MODIFY_SUBSCRIPTION","version":"1","transactionId":"12345",\#(info),"#
                + #""retainBillingCycle":true,"addItems":[{"SKU":"roses",\#(texts),"price":4990,"#
                + #""proratedPrice":990}],"changeItems":[{"currentSKU":"beds","#
                + #""SKU":"beds",\#(texts),"#
                + #""price":7990,"proratedPrice":7990,"effective":"IMMEDIATELY","#
                + #""reason":"UPGRADE"}],"removeItems":[{"SKU":"hedges"}]}"#
        ),
        (
            .reactivate,
            #"{"operation":"REACTIVATE_SUBSCRIPTION","version":"1","transactionId":"12345","#
                + #"\#(info),"#
                + #""items":[{"SKU":"trees"},{"SKU":"beds"}],"storefront":"DEU"}"#
        ),
        (.cancel, #"{\#(info),"storefront":"DEU"}"#),
        (
            .changeMetadata,
            #"{\#(info),"descriptors":{"effective":"IMMEDIATELY","displayName":"Garten","#
                + #""description":"Ja"},"items":[{"currentSKU":"beds","#
                + #""effective":"NEXT_BILL_CYCLE","SKU":"borders",\#(texts)}],"storefront":"DEU","#
                + #""taxCode":"C003-00-1"}"#
        ),
        (
            .changePrice,
            #"{\#(info),"currency":"EUR","storefront":"DEU","items":[{"SKU":"trees","price":12990,"#
                + #""dependentSKUs":["beds","roses"]},{"SKU":"roses","price":3990}]}"#
        ),
        (
            .migrate,
            #"{\#(info),"descriptors":{"displayName":"Garten","description":"Ja"},"#
                + #""items":[{"SKU":"trees",\#(texts)}],"renewalItems":[{"SKU":"beds",\#(texts)}],"#
                + #""storefront":"DEU","targetProductId":"com.example.generic","#
                + #""taxCode":"C003-00-1"}"#
        ),
        (
            .revoke,
            #"{\#(info),"refundReason":"FULFILLMENT_ISSUE","refundType":"PRORATED","#
                + #""refundRiskingPreference":true,"storefront":"DEU"}"#
        ),
        (
            .requestRefund,
            #"{\#(info),"currency":"EUR","items":[{"SKU":"trees","refundReason":"LEGAL","#
                + #""refundType":"CUSTOM","revoke":false,"refundAmount":1},{"SKU":"beds","#
                + #""refundReason":"OTHER","refundType":"PRORATED","revoke":true}],"#
                + #""refundRiskingPreference":false,"storefront":"DEU"}"#
        ),
    ]
}

extension CommerceCase {
    private static func items(_ count: Int) -> String {
        many(count) {
            #"{"SKU":"\#($0)","displayName":"Item","description":"One","price":1000000000000}"#
        }
    }

    /// What is accepted although it is the longest or the largest.
    static let atLimit = [
        CommerceCase(
            0, .create, Edit("items.0.SKU", letters(128)),
            Edit("items.0.displayName", letters(30, "🌳")),
            Edit("items.0.description", letters(45, "é"))),
        CommerceCase(0, .create, Edit("items", items(100))),
        CommerceCase(
            0, .create,
            #"items.0.offer={"period":"P3D","periodCount":1,"price":0,"reason":"ACQUISITION"}"#),
        CommerceCase(
            0, .create,
            #"items.0.offer={"period":"P1W","periodCount":12,"price":7990,"reason":"RETENTION"}"#),
        CommerceCase(0, .create, #"previousTransactionId="9223372036854775807""#),
        CommerceCase(0, .create, #"requestInfo.appAccountToken="""#),
        CommerceCase(0, .create, "items.0.price=7990.0"),
        CommerceCase(0, .oneTimeCharge, "item.price=0"),
        // As Apple's own example: an item goes with the next renewal.
        CommerceCase(0, .modify, "addItems", #"removeItems=[{"SKU":"beds"}]"#),
        CommerceCase(
            0, .modify, "addItems", #"descriptors={"effective":"IMMEDIATELY","displayName":"P"}"#),
        // As Apple's own example: from monthly to annual at once.
        CommerceCase(
            0, .modify, "addItems", "retainBillingCycle=false",
            Edit("changeItems", "[\(changed())]"),
            #"periodChange={"effective":"IMMEDIATELY","period":"P1Y"}"#),
        CommerceCase(
            0, .modify, "addItems",
            Edit("changeItems", "[\(changed("beds", to: "beds", "NEXT_BILL_CYCLE"))]")),
        CommerceCase(0, .modify, "addItems.0.proratedPrice=0"),
        CommerceCase(0, .reactivate, Edit("items", many(100) { #"{"SKU":"\#($0)"}"# })),
        CommerceCase(0, .changePrice, "items.0.dependentSKUs=[]"),
        CommerceCase(
            0, .changeMetadata,
            Edit(
                "items",
                #"[{"currentSKU":"a","effective":"IMMEDIATELY","SKU":"b"},"#
                    + #"{"currentSKU":"b","effective":"IMMEDIATELY","SKU":"a"}]"#)),
        CommerceCase(
            0, .requestRefund, #"items.0.refundReason="SIMULATE_REFUND_DECLINE""#),
    ]
}
