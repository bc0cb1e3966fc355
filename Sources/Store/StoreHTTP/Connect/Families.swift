import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the families are given out.
    private static let familyPages = Paging(
        "families", "Oldest first.", of: .named("Family"), .after,
        .integer("The id of the last one of the page before."))

    /// The families of the environment, page by page.
    static let listFamilies = Endpoint.operatorOnly(
        .get, "/connect/v1/families", "listFamilies",
        OperationDescription(
            .theOperator, "List the families of this environment",
            detail: "In the order in which they were made.",
            parameters: [
                .query("account", .text("Only the one that this account is in.", 1...256))
            ] + familyPages.parameters,
            success: familyPages.success("A page of families.", "Families."),
            failures: [.init(.notFound, "unknownAccount")])
    ) { call, input in
        try await familyPages.page(input) { after, limit in
            try await call.store.families(
                account: input.parameter("account")?.string, in: call.environment,
                after: after ?? 0, limit: limit)
        } writing: { family, json in
            json.elementObject { family.write(to: &$0) }
        }
    }

    /// One family and what it shares.
    static let getFamily = Endpoint.operatorOnly(
        .get, "/connect/v1/families/{id}", "getFamily",
        OperationDescription(
            .theOperator, "Get a family and what it shares", parameters: [familyParameter],
            success: .ok("The family.", .named("Family")),
            failures: [.init(.notFound, "unknownFamily")])
    ) { call, _ in
        try await family(try call.pathIdentifier("id", of: .family), call)
    }

    /// Makes a family.
    static let createFamily = Endpoint.operatorOnly(
        .post, "/connect/v1/families", "createFamily", canRehearse: true,
        OperationDescription(
            .theOperator, "Make a family",
            detail: "Of an organiser and up to five others, who each are in no family yet. What "
                + "each of them bought and shares, the others have at once, with transactions of "
                + "their own.",
            body: .members(
                .object(
                    "Who is in it.",
                    .required("organiser", .text("Whose family it is.", 1...256)),
                    .optional(
                        "members",
                        .list("The others, up to five.", of: .text("An account.", 1...256))))),
            success: .created("Made.", .named("Family")),
            failures: [.init(.notFound, "unknownAccount")] + fullFailures)
    ) { call, input in
        let id = try await call.store.createFamily(
            organiser: input.requiredText("organiser"), with: input.texts("members") ?? [],
            in: call.environment)
        var response = try await family(id, call)
        response.status = .created
        return response
    }

    /// Takes somebody in.
    static let addFamilyMember = Endpoint.operatorOnly(
        .post, "/connect/v1/families/{id}/members", "addFamilyMember", canRehearse: true,
        OperationDescription(
            .theOperator, "Add an account to a family",
            detail: "It gains what the others share, and they what it shares.",
            parameters: [familyParameter],
            body: .members(
                .object(
                    "Who joins.", .required("account", .text("An account.", 1...256)))),
            success: .ok("The family as it is now.", .named("Family")),
            failures: [
                .init(.notFound, "unknownFamily"), .init(.notFound, "unknownAccount"),
            ] + fullFailures)
    ) { call, input in
        let id = try call.pathIdentifier("id", of: .family)
        try await call.store.join(
            family: id, account: input.requiredText("account"), in: call.environment)
        return try await family(id, call)
    }

    /// Lets somebody go.
    static let removeFamilyMember = Endpoint.operatorOnly(
        .delete, "/connect/v1/families/{id}/members/{account}", "removeFamilyMember",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Remove an account from its family",
            detail: "As when it leaves by itself: what was shared with it is lost at once, and "
                + "what it shared is lost to the others. The organiser cannot be removed.",
            parameters: [
                familyParameter,
                .path("account", .text("The account, percent-encoded.", 1...256)),
            ],
            success: .nothing("Removed."),
            failures: [
                .init(.notFound, "unknownFamily"), .init(.notFound, "unknownAccount"),
                .init(.conflict, "notInFamily"), .init(.conflict, "isOrganiser"),
            ])
    ) { call, _ in
        try await call.store.leave(
            family: try call.pathIdentifier("id", of: .family), account: call.text("account"),
            in: call.environment)
        return .empty(.noContent)
    }

    /// Ends a family.
    static let endFamily = Endpoint.operatorOnly(
        .delete, "/connect/v1/families/{id}", "endFamily", canRehearse: true,
        OperationDescription(
            .theOperator, "End a family",
            detail: "Everybody keeps what is their own, and loses what others shared.",
            parameters: [familyParameter], success: .nothing("Ended."),
            failures: [.init(.notFound, "unknownFamily")])
    ) { call, _ in
        try await call.store.endFamily(
            try call.pathIdentifier("id", of: .family), in: call.environment)
        return .empty(.noContent)
    }

    /// Shares a purchase, or stops that, in the purchaser's place.
    static let setSharing = Endpoint.operatorOnly(
        .put, "/connect/v1/transactions/{transactionId}/sharing", "setSharing",
        canRehearse: true,
        OperationDescription(
            .theOperator, "Share a purchase with its purchaser's family, or stop that",
            detail: "In the purchaser's place. It holds also for a family that is joined later.",
            parameters: [
                .path("transactionId", .identifier("The purchaser's original transaction."))
            ],
            body: .members(Schema.sharing), success: .nothing("Set."),
            failures: [.init(.badRequest, "invalidSetting")] + Schema.sharingFailures)
    ) { call, input in
        try await call.store.setSharing(
            input.sharing,
            originalTransaction: try call.pathIdentifier(
                "transactionId", of: .originalTransaction), in: call.environment)
        return .empty(.noContent)
    }

    private static let fullFailures: [OperationDescription.Failure] = [
        .init(.conflict, "inFamily"), .init(.conflict, "familyIsFull"),
    ]

    private static let familyParameter = OperationDescription.Parameter.path(
        "id", .identifier("The family."))

    private static func family(_ id: Int64, _ call: Call) async throws -> Response {
        let (family, purchases) = try await call.store.family(id, in: call.environment)
        return .object { json in
            family.write(to: &json)
            json.array("purchases") { json in
                for one in purchases { json.elementObject { one.write(to: &$0) } }
            }
        }
    }

    static let familySchema = Schema.object(
        "People who share what they buy.",
        .required("id", .integer("Its number.")),
        .required("environment", environmentSchema),
        .required("created", .moment("When it was made.")),
        .required(
            "members",
            .list(
                "Who is in it, the organiser first.",
                of: .object(
                    "Somebody in it.", .required("account", .text("The account.")),
                    .required("organiser", .boolean("Whether it is the organiser.")),
                    .required("joined", .moment("When it joined.")),
                    .required(
                        "sharesNewPurchases",
                        .boolean("Whether it shares what it buys from now on."))))),
        .optional(
            "purchases",
            .list(
                "What they bought that can be shared and is not over; not in lists.",
                of: .named("SharedPurchase"))))
}

extension Schema {
    /// What a purchaser chooses for a purchase.
    static let sharing = Schema.object(
        "What is chosen.",
        .required(
            "sharing",
            .choice(
                "Whether the family has it; what is bought once can also be hidden.",
                SharingChange.allCases.map(\.rawValue))))

    static let sharingFailures: [OperationDescription.Failure] = [
        .init(.notFound, "unknownSubscription"), .init(.conflict, "familyShared"),
        .init(.conflict, "notShareable"),
    ]

    /// A purchase that a family can share.
    static let sharedPurchase = Schema.object(
        "A purchase that a family can share, and who has it.",
        .required("account", .text("Who bought it.")),
        .required("bundleId", .text("The app that sold it.")),
        .required("productId", .text("The product of its newest period.")),
        .required(
            "originalTransactionId", .identifier("The purchaser's original transaction.")),
        .required("shared", .boolean("Whether the purchaser shares it.")),
        .required(
            "sharedWith",
            .list(
                "Who of the family has it now.",
                of: .object(
                    "A member.", .required("account", .text("The account.")),
                    .required(
                        "originalTransactionId",
                        .identifier("The member's own original transaction.")),
                    .required("since", .moment("Since when, the last time."))))))
}

extension Input {
    /// What was chosen, which the schema has checked.
    var sharing: SharingChange {
        required(text("sharing").flatMap(SharingChange.init(rawValue:)), "sharing")
    }
}

extension Family {
    func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("environment", environment.wire)
        json.field("created", created.iso8601)
        json.array("members") { json in
            for member in members {
                json.elementObject { json in
                    json.field("account", member.account)
                    json.field("organiser", member.isOrganiser)
                    json.field("joined", member.joined.iso8601)
                    json.field("sharesNewPurchases", member.sharesNewPurchases)
                }
            }
        }
    }
}

extension SharedEntry {
    func write(to json: inout JSONWriter) {
        json.field("account", purchaser)
        json.field("bundleId", bundleID)
        json.field("productId", productID)
        json.field("originalTransactionId", String(originalTransactionID))
        json.field("shared", isShared)
        json.array("sharedWith") { json in
            for holder in holders {
                json.elementObject { json in
                    json.field("account", holder.account)
                    json.field("originalTransactionId", String(holder.originalTransactionID))
                    json.field("since", holder.since.iso8601)
                }
            }
        }
    }
}
