// Offers, prices and changes that do not go together, and too many of anything.

extension CommerceCase {
    private static let offer =
        #"{"period":"P1M","periodCount":3,"price":2990,"reason":"ACQUISITION"}"#

    private static let offers = [
        (CommerceRequest.create, "items.0"), (.modify, "addItems.0"),
    ].flatMap { request, item -> [CommerceCase] in
        func with(_ code: Int64, _ edit: Edit) -> CommerceCase {
            CommerceCase(
                code, request, Edit("\(item).offer", offer),
                Edit("\(item).offer.\(edit.path[0])", edit.json))
        }
        return [
            with(4_000_092, "period"), with(4_000_128, #"period="P4M""#),
            with(4_000_093, "periodCount"), with(4_000_094, "periodCount=0"),
            with(4_000_094, "periodCount=-3"), with(4_000_129, "periodCount=13"),
            with(4_000_129, "periodCount=9223372036854775807"), with(4_000_109, "price"),
            with(4_000_086, "price=-1"), with(4_000_152, "price=7991"),
            with(4_000_223, "price=0"), with(4_000_095, "reason"),
            with(4_000_126, #"reason="UPGRADE""#), with(4_000_173, "periodCount=1.5"),
            CommerceCase(4_000_173, request, Edit("\(item).offer", "[]")),
        ]
    }

    /// A modification that changes the item `beds` instead of adding one.
    private static func change(_ code: Int64, _ edits: Edit...) -> CommerceCase {
        var all = [Edit("addItems", nil), Edit("changeItems", "[\(changed())]")]
        all += edits
        return CommerceCase(code, all)
    }

    private init(_ code: Int64, _ edits: [Edit]) {
        self.code = code
        request = .modify
        self.edits = edits
    }

    static func changed(
        _ current: String = "beds", to sku: String = "borders", _ effective: String = "IMMEDIATELY"
    ) -> String {
        #"{"currentSKU":"\#(current)","SKU":"\#(sku)","displayName":"Borders","#
            + #""description":"All borders","price":9990,"effective":"\#(effective)","#
            + #""reason":"UPGRADE"}"#
    }

    private static let later = #"changeItems.0.effective="NEXT_BILL_CYCLE""#
    private static func period(_ effective: String) -> Edit {
        Edit("periodChange", #"{"effective":"\#(effective)","period":"P1Y"}"#)
    }

    private static let changes = [
        change(4_000_169, "changeItems.0.currentSKU"),
        change(4_000_170, Edit("changeItems.0.currentSKU", letters(129))),
        change(4_000_112, "changeItems.0.SKU"),
        change(4_000_087, Edit("changeItems.0.SKU", letters(129))),
        change(4_000_111, "changeItems.0.effective"),
        change(4_000_173, #"changeItems.0.effective="LATER""#),
        change(4_000_095, "changeItems.0.reason"),
        change(4_000_125, #"changeItems.0.reason="WIN_BACK""#),
        change(4_000_125, #"changeItems.0.reason="APPLY_OFFER""#),
        change(4_000_091, "changeItems.0.proratedPrice=-1"),
        change(4_000_151, "changeItems.0.proratedPrice=9991"),
        change(4_000_151, "changeItems.0.proratedPrice=1", "retainBillingCycle=false"),
        change(
            4_000_150, "changeItems.0.proratedPrice=1", Edit("changeItems.0.offer", offer)),
        change(4_000_222, "changeItems.0.proratedPrice=1", Edit(stringLiteral: later)),
        change(4_000_148, Edit(stringLiteral: later), "retainBillingCycle=false"),
        change(4_000_141, period("IMMEDIATELY")),
        change(
            4_000_149, period("IMMEDIATELY"), Edit(stringLiteral: later),
            "retainBillingCycle=false"),
        change(4_000_142, period("NEXT_BILL_CYCLE")),
        change(
            4_000_148, period("NEXT_BILL_CYCLE"), Edit(stringLiteral: later),
            "retainBillingCycle=false"),
        change(4_000_111, #"periodChange={"period":"P1Y"}"#),
        change(4_000_104, #"periodChange={"effective":"IMMEDIATELY"}"#),
        change(4_000_130, #"periodChange={"effective":"IMMEDIATELY","period":"P9M"}"#),
        change(4_000_139, "changeItems=[]"),
        change(4_000_143, Edit("changeItems.1", changed("borders", to: "beds"))),
        change(4_000_143, Edit("changeItems.1", changed("beds", to: "trees"))),
        change(4_000_143, #"removeItems=[{"SKU":"beds"}]"#),
        change(4_000_143, #"removeItems=[{"SKU":"borders"}]"#),
        change(
            4_000_118, #"descriptors={"effective":"IMMEDIATELY","displayName":"Borders"}"#),
    ]

    private static let modifications = [
        CommerceCase(4_000_063, .modify, "addItems"),
        CommerceCase(4_000_063, .modify, "addItems", #"currency="EUR""#),
        CommerceCase(4_000_139, .modify, "addItems=[]"),
        CommerceCase(4_000_160, .modify, "removeItems=[]"),
        CommerceCase(
            4_000_144, .modify, "addItems", #"removeItems=[{"SKU":"beds"}]"#,
            "retainBillingCycle=false"),
        CommerceCase(4_000_143, .modify, #"removeItems=[{"SKU":"trees"}]"#),
        CommerceCase(4_000_143, .modify, #"removeItems=[{"SKU":"beds"},{"SKU":"beds"}]"#),
        CommerceCase(4_000_091, .modify, "addItems.0.proratedPrice=-1"),
        CommerceCase(4_000_151, .modify, "addItems.0.proratedPrice=7991"),
        CommerceCase(
            4_000_151, .modify, "addItems.0.proratedPrice=1", "retainBillingCycle=false"),
        CommerceCase(
            4_000_150, .modify, "addItems.0.proratedPrice=1", Edit("addItems.0.offer", offer)),
        CommerceCase(4_000_140, .modify, "addItems", period("IMMEDIATELY")),
        CommerceCase(4_000_140, .modify, period("IMMEDIATELY"), "retainBillingCycle=false"),
        CommerceCase(
            4_000_142, .modify, period("NEXT_BILL_CYCLE"),
            Edit("changeItems", "[\(changed("beds", to: "borders", "NEXT_BILL_CYCLE"))]")),
        CommerceCase(4_000_111, .modify, #"descriptors={"displayName":"Pass"}"#),
        CommerceCase(4_000_165, .modify, #"descriptors={"effective":"IMMEDIATELY"}"#),
        CommerceCase(
            4_000_118, .modify,
            #"descriptors={"effective":"NEXT_BILL_CYCLE","displayName":"The trees"}"#),
        CommerceCase(4_000_136, .modify, Edit("removeItems", many(101) { #"{"SKU":"\#($0)"}"# })),
    ]

    private static let metadata = [
        CommerceCase(4_000_115, .changeMetadata, "taxCode"),
        CommerceCase(4_000_115, .changeMetadata, "taxCode", #"storefront="USA""#),
        CommerceCase(4_000_160, .changeMetadata, "items=[]"),
        CommerceCase(4_000_165, .changeMetadata, #"descriptors={"effective":"IMMEDIATELY"}"#),
        CommerceCase(4_000_111, .changeMetadata, #"descriptors={"displayName":"Pass"}"#),
        CommerceCase(
            4_000_089, .changeMetadata, #"descriptors={"effective":"IMMEDIATELY"}"#,
            Edit("descriptors.displayName", letters(31))),
        renamed(4_000_115, "SKU"), renamed(4_000_169, "currentSKU"),
        renamed(4_000_087, Edit("currentSKU", letters(129))),
        renamed(4_000_087, Edit("SKU", letters(129))), renamed(4_000_122, #"SKU="""#),
        renamed(4_000_111, "effective"), renamed(4_000_088, Edit("description", letters(46))),
        renamed(4_000_119, #"description="""#), renamed(4_000_118, #"displayName="""#),
        CommerceCase(
            4_000_118, .changeMetadata,
            #"descriptors={"effective":"IMMEDIATELY","displayName":"Beds"}"#,
            #"items=[{"currentSKU":"a","effective":"IMMEDIATELY","displayName":"Beds"}]"#),
        CommerceCase(
            4_000_143, .changeMetadata, Edit("items", "[\(rename("a")),\(rename("a", to: "c"))]")),
        CommerceCase(4_000_143, .changeMetadata, Edit("items", "[\(rename("a")),\(rename("c"))]")),
        CommerceCase(4_000_136, .changeMetadata, Edit("items", many(101) { rename("\($0)") })),
    ]

    private static func rename(_ current: String, to sku: String = "b") -> String {
        #"{"currentSKU":"\#(current)","effective":"IMMEDIATELY","SKU":"\#(sku)"}"#
    }

    private static func renamed(_ code: Int64, _ edit: Edit) -> CommerceCase {
        CommerceCase(
            code, .changeMetadata, Edit("items", "[\(rename("a"))]"),
            Edit("items.0.\(edit.path[0])", edit.json))
    }

    private static func priced(_ sku: String, _ dependents: String = "[]") -> String {
        #"{"SKU":"\#(sku)","price":9990,"dependentSKUs":\#(dependents)}"#
    }

    private static let others = [
        CommerceCase(4_000_118, .create, #"descriptors.displayName="The beds""#),
        CommerceCase(4_000_118, .migrate, #"descriptors.displayName="Beds""#),
        CommerceCase(4_000_143, .create, Edit("items.1", create)),
        CommerceCase(4_000_136, .create, Edit("items", many(101) { _ in create })),
        CommerceCase(4_000_143, .reactivate, #"items=[{"SKU":"beds"},{"SKU":"beds"}]"#),
        CommerceCase(4_000_136, .reactivate, Edit("items", many(101) { #"{"SKU":"\#($0)"}"# })),
        CommerceCase(4_000_143, .migrate, Edit("items.1", migrated)),
        CommerceCase(4_000_143, .migrate, Edit("renewalItems", "[\(migrated),\(migrated)]")),
        CommerceCase(4_000_179, .migrate, Edit("items", many(101) { _ in migrated })),
        CommerceCase(4_000_179, .migrate, Edit("renewalItems", many(101) { _ in migrated })),
        CommerceCase(4_000_194, .changePrice, Edit("items", "[\(priced("a")),\(priced("a"))]")),
        CommerceCase(4_000_136, .changePrice, Edit("items", many(101) { priced("\($0)") })),
        CommerceCase(4_000_173, .changePrice, "items.0.dependentSKUs={}"),
        CommerceCase(4_000_173, .changePrice, "items.0.dependentSKUs=[7]"),
        CommerceCase(4_000_105, .changePrice, "items.0.dependentSKUs=[null]"),
        CommerceCase(4_000_122, .changePrice, #"items.0.dependentSKUs=[""]"#),
        CommerceCase(4_000_087, .changePrice, Edit("items.0.dependentSKUs", "[\(letters(129))]")),
        CommerceCase(
            4_000_136, .changePrice, Edit("items.0.dependentSKUs", many(101) { #""\#($0)""# })),
        CommerceCase(
            4_000_192, .changePrice,
            Edit("items", "[\(priced("a", #"["c"]"#)),\(priced("b", #"["c"]"#))]")),
        CommerceCase(
            4_000_193, .changePrice,
            Edit("items", "[\(priced("a", #"["b"]"#)),\(priced("b", #"["c"]"#))]")),
        CommerceCase(4_000_193, .changePrice, Edit("items", "[\(priced("a", #"["a"]"#))]")),
        CommerceCase(4_000_143, .requestRefund, Edit("items.1", refunded("OTHER"))),
        CommerceCase(
            4_000_184, .requestRefund, Edit("items.1", refunded("SIMULATE_REFUND_DECLINE")),
            #"items.1.SKU="trees""#),
        CommerceCase(
            4_000_136, .requestRefund, Edit("items", many(101) { _ in refunded("OTHER") })),
        CommerceCase(4_000_153, .requestRefund, #"items.0.refundType="CUSTOM""#),
        CommerceCase(4_000_155, .requestRefund, "items.0.refundAmount=990"),
        CommerceCase(
            4_000_154, .requestRefund, #"items.0.refundType="CUSTOM""#, "items.0.refundAmount=-1"),
        CommerceCase(
            4_000_132, .requestRefund, #"items.0.refundType="CUSTOM""#, "items.0.refundAmount=0"),
    ]

    private static let create =
        #"{"SKU":"beds","displayName":"More beds","description":"More beds","price":1}"#
    private static let migrated =
        #"{"SKU":"beds","displayName":"More beds","description":"More beds"}"#
    private static func refunded(_ reason: String) -> String {
        #"{"SKU":"beds","refundReason":"\#(reason)","refundType":"FULL","revoke":false}"#
    }

    static let together = offers + changes + modifications + metadata + others
}
