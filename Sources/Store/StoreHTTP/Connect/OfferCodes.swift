import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// Codes of offers: made together, listed, downloaded and ended (COD-1, COD-2).
extension ConnectSurface {
    private static let codePath = "/connect/v1/apps/{bundleId}/offer-codes"

    private static let codePages = Paging(
        "offerCodes", "Newest first.", of: .named("OfferCodes"), .before,
        .integer("The id of the last one of the page before."))

    /// Codes that were made.
    static let listOfferCodes = Endpoint.operatorOnly(
        .get, codePath, "listOfferCodes",
        OperationDescription(
            .theOperator, "List the offer codes of this environment that were made",
            parameters: [
                bundleIDParameter,
                .query("product", .text("Only those of this product.", 1...255)),
                .query("offer", .text("Only those of this offer.", 1...64)),
            ] + codePages.parameters,
            success: codePages.success("A page of them.", "Offer codes, as they were made."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        try await codePages.page(input) { before, limit in
            try await call.store.offerCodeBatches(
                bundleID: call.text("bundleId"), in: call.environment,
                productID: input.parameter("product")?.string,
                offerID: input.parameter("offer")?.string, before: before, limit: limit)
        } writing: { batch, json in
            json.elementObject { batch.write(to: &$0) }
        }
    }

    /// Makes codes.
    static let makeOfferCodes = Endpoint.operatorOnly(
        .post, codePath, "makeOfferCodes", canRehearse: true,
        OperationDescription(
            .theOperator, "Make offer codes",
            detail: "One-time codes, 18 letters and digits each, good for one customer and for six "
                + "months at most; or one custom code, which many customers redeem, not in account "
                + "settings. They are good in the environment in which they are made. An app can "
                + "have \(OfferCodeOrder.mostPerQuarter) made in a quarter of a year.",
            parameters: [bundleIDParameter],
            body: .members(
                .object(
                    "What to make.", .required("productId", .text("The product.", 1...255)),
                    .required("offerId", .text("The offer, one with codes.", 1...64)),
                    .required(
                        "count",
                        .integer(
                            "How many one-time codes, or how many customers may redeem the custom "
                                + "one.", 1...OfferCodeOrder.mostPerQuarter)),
                    .optional(
                        "custom",
                        .text(
                            "What a custom code reads: 3 to 64 ASCII letters and digits, A to Z "
                                + "and 0 to 9, capital and small letters alike; no spaces, "
                                + "hyphens or accents. One-time codes unless given.", 3...64)),
                    .optional(
                        "expires",
                        .moment(
                            "The first moment at which they are good no more; for one-time codes "
                                + "six months from now unless given.")))),
            success: .created("What was made.", .named("OfferCodes")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.notFound, "invalidOfferIdentifier"),
                .init(.conflict, "codeTaken"), .init(.conflict, "tooManyCodes"),
            ])
    ) { call, input in
        let batch = try await call.store.makeOfferCodes(
            OfferCodeOrder(
                productID: input.requiredText("productId"), offerID: input.requiredText("offerId"),
                custom: input.text("custom"),
                count: Int(input.required(input.integer("count"), "count")),
                expires: input.moment("expires")),
            bundleID: call.text("bundleId"), in: call.environment)
        return .object(status: .created) { batch.write(to: &$0) }
    }

    /// The codes themselves.
    static let downloadOfferCodes = Endpoint.operatorOnly(
        .get, codePath + "/{id}/codes", "downloadOfferCodes",
        OperationDescription(
            .theOperator, "Download offer codes",
            detail: "One a line, with CRLF, without a header.",
            parameters: [bundleIDParameter, codesParameter],
            success: .ok("The codes.", .text("A line for each."), as: "text/csv"),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownOfferCodes")])
    ) { call, _ in
        let codes = try await call.store.offerCodes(
            ofBatch: call.pathIdentifier("id", of: .offerCodeBatch),
            bundleID: call.text("bundleId"), in: call.environment)
        return .text(
            codes.joined(separator: "\r\n") + "\r\n",
            contentType: "text/csv; charset=utf-8; header=absent")
    }

    private static let redemptionPages = Paging(
        "redemptions", "In the order of accounts.",
        of: .object(
            "A code that was redeemed.", .required("code", .text("What it reads.")),
            .required("account", .text("Who redeemed it.")),
            .required("redeemed", .moment("When.")),
            .optional(
                "transactionId",
                .identifier(
                    "What was bought with it; absent where the offer came with the renewal, and "
                        + "while the payment is pending."))),
        .after, .text("The account of the last one of the page before.", 1...256))

    /// Who redeemed codes.
    static let listOfferCodeRedemptions = Endpoint.operatorOnly(
        .get, codePath + "/{id}/redemptions", "listOfferCodeRedemptions",
        OperationDescription(
            .theOperator, "List who redeemed offer codes, and when",
            detail: "Of one-time codes and of a custom one. A code whose purchase was not paid in "
                + "the end is good again, and stands here no more.",
            parameters: [bundleIDParameter, codesParameter] + redemptionPages.parameters,
            success: redemptionPages.success("A page of them.", "Codes that were redeemed."),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownOfferCodes")])
    ) { call, input in
        let batch = try call.pathIdentifier("id", of: .offerCodeBatch)
        return try await redemptionPages.pageByName(input) { after, limit in
            try await call.store.redemptions(
                ofBatch: batch, bundleID: call.text("bundleId"), in: call.environment,
                after: after, limit: limit)
        } writing: { one, json in
            json.elementObject { json in
                json.field("code", one.code)
                json.field("account", one.account)
                json.field("redeemed", one.redeemed.iso8601)
                json.field("transactionId", one.transactionID.map(String.init))
            }
        }
    }

    /// Ends codes.
    static let endOfferCodes = Endpoint.operatorOnly(
        .post, codePath + "/{id}/end", "endOfferCodes", canRehearse: true,
        OperationDescription(
            .theOperator, "End offer codes",
            detail: "Nobody redeems them any more. Ending them twice is the same as once.",
            parameters: [bundleIDParameter, codesParameter],
            success: .ok("How they stand.", .named("OfferCodes")),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownOfferCodes")])
    ) { call, _ in
        let batch = try await call.store.endOfferCodes(
            call.pathIdentifier("id", of: .offerCodeBatch), bundleID: call.text("bundleId"),
            in: call.environment)
        return .object { batch.write(to: &$0) }
    }

    private static let codesParameter = OperationDescription.Parameter.path(
        "id", .identifier("The number under which they were made."))

    static let offerCodesSchema = Schema.object(
        "Codes of an offer that were made together.",
        .required("id", .identifier("Their number.")),
        .required("environment", environmentSchema),
        .required("productId", .text("The product.")),
        .required("offerId", .text("The offer.")),
        .optional("custom", .text("What the custom code reads; absent for one-time codes.")),
        .required(
            "count",
            .integer("How many one-time codes, or how many customers may redeem the custom one.")),
        .required("redeemed", .integer("How many were redeemed.")),
        .required("made", .moment("When they were made.")),
        .optional("expires", .moment("The first moment at which they are good no more.")),
        .optional("ended", .moment("When the operator ended them.")))
}

extension OfferCodeBatch {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", String(id))
        json.field("environment", environment.wire.rawValue)
        json.field("productId", productID)
        json.field("offerId", offerID)
        if case .custom(let code) = kind { json.field("custom", code) }
        json.field("count", count)
        json.field("redeemed", redeemed)
        json.field("made", made.iso8601)
        json.field("expires", expires?.iso8601)
        json.field("ended", ended?.iso8601)
    }
}
