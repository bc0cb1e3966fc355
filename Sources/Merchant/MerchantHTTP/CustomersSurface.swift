import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import MerchantRules
import SubscriptionRules
import TimeAndChance

/// What apps and the developer's servers send and ask.
enum CustomersSurface {
    static let endpoints: [Endpoint] = [takeTransaction, getCustomer, explainCustomer]

    static let bundleID = OperationDescription.Parameter.path(
        "bundleId", .text("The app.", 1...255))
    static let accountSchema = Schema.text("The app's name for the account.", 1...255)
    static let account = OperationDescription.Parameter.path("account", accountSchema)

    /// What proves a purchase, or whose it is: exactly one of them.
    private static let proofs = ["signedTransaction", "receipt", "signedAppTransaction"]

    /// Takes a purchase from the app: the answer has what it unlocks.
    static let takeTransaction = Endpoint.tokenHolder(
        .post, "/v1/apps/{bundleId}/transactions", "takeTransaction",
        OperationDescription(
            .app, "Send a purchase",
            detail: "Exactly one of `signedTransaction`, `receipt` and `signedAppTransaction` is "
                + "given. Whether the store's notification came before does not matter. What comes "
                + "of a purchase that another account has is the app's policy, `transfers` of the "
                + "configuration; the owner call says it beforehand. A renewal alone never changes "
                + "its owner. Other purchases in a receipt are still accepted.",
            parameters: [bundleID],
            body: .members(
                .object(
                    "A purchase.",
                    .required("account", .text("Who is signed in.", 1...255)),
                    .optional(
                        "signedTransaction",
                        .text("The signed transaction (JWS) that StoreKit gave.", 1...524_288)),
                    .optional(
                        "receipt",
                        .text("The app receipt in Base64, without line breaks.", 1...1_000_000)),
                    .optional(
                        "signedAppTransaction",
                        .text(
                            "The signed app transaction (JWS): it says who the customer is at the "
                                + "store.", 1...524_288)),
                    .optional(
                        "environment",
                        .choice(
                            "Where the app believes to be; unless given, what was signed decides.",
                            MerchantEnvironment.allCases.map(\.name))),
                    .optional(
                        "restore", .boolean("Whether the customer has asked to restore it.")))),
            success: .ok("What the account has now.", CustomerForms.customer.schema),
            failures: [
                .init(.notFound, "unknownApp"), .init(.badRequest, "notVerified"),
                .init(.badRequest, "reservedAccount"), .init(.conflict, "ownedByAnother"),
                .init(.conflict, "keptByOwner"), .init(.conflict, "stillActive"),
                .init(.conflict, "sharedByTooMany"),
                .init(.serviceUnavailable, "receiptServiceAway"),
                .init(.badRequest, "oneProof"), .init(.badRequest, "environmentNotTaken"),
                .init(.badRequest, "noAppTransactionId"),
            ])
    ) { call, input in
        let environment = MerchantEnvironment(named: input.text("environment"))
        do {
            let customer = try await call.merchant.take(
                try proof(in: input), from: input.requiredText("account"),
                of: try call.bundleID(), in: environment,
                restores: input.boolean("restore") ?? false)
            return .object { CustomerForms.customer.write(customer, to: &$0) }
        } catch let error as MerchantError where error == .intake(.receiptServiceAway) {
            var response = Response.json(ErrorBody(error), status: .serviceUnavailable)
            response.headers[.retryAfter] = "30"
            return response
        }
    }

    private static func proof(in input: Input) throws(ErrorBody) -> PurchaseProof {
        let given = proofs.filter(input.has)
        guard given.count == 1 else {
            throw ErrorBody(
                .badRequest, given.isEmpty ? "missingMember" : "oneProof",
                "Exactly one of \(proofs.joined(separator: ", ")) is needed: send one.",
                field: given.last ?? proofs[0])
        }
        if let text = input.text("receipt") { return .receipt(text) }
        if let text = input.text("signedAppTransaction") { return .signedAppTransaction(text) }
        return .signedTransaction(input.requiredText("signedTransaction"))
    }

    /// What an account has.
    static let getCustomer = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}", "getCustomer", isBrief: true,
        OperationDescription(
            .app, "Say what an account has",
            detail: "The ETag changes with everything that is said, by an event, by time or by "
                + "another configuration: an answer whose ETag is sent in If-None-Match is 304 as "
                + "long as it is good.",
            parameters: [bundleID, account],
            success: .ok("What the account has now.", CustomerForms.customer.schema),
            failures: [.init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount")])
    ) { call, _ in
        let customer = try await call.merchant.customer(
            try call.account(), of: try call.bundleID())
        let tag = customer.entityTag
        var response: Response
        let known = call.request.headers[.ifNoneMatch].map { IfNoneMatch($0) }
        if known?.names(tag) == true {
            response = .empty(.notModified)
        } else {
            response = .object { CustomerForms.customer.write(customer, to: &$0) }
        }
        response.headers[.eTag] = tag
        return response
    }

    /// Why an account has what it has.
    static let explainCustomer = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}/why", "explainCustomer",
        OperationDescription(
            .server, "Say why an account has what it has",
            parameters: [
                bundleID, account,
                .query("entitlement", .text("Only what unlocks this.", 1...255)),
            ],
            success: .ok("What the answer rests on.", why.schema),
            failures: [.init(.notFound, "unknownApp"), .init(.badRequest, "reservedAccount")])
    ) { call, input in
        let (account, bundleID) = (try call.account(), try call.bundleID())
        let customer = try await call.merchant.customer(
            account, of: bundleID, withNotifications: true)
        let wanted = input.parameter("entitlement")?.string
        let explanation = Explanation(
            customer: customer,
            purchases: customer.purchases.filter { purchase in
                wanted.map(purchase.entitlements.contains) ?? true
            },
            transfers: try await call.merchant.transfers(
                of: account, in: bundleID, limit: transfersShown, betweenAccounts: true))
        return .object { why.write(explanation, to: &$0) }
    }

    private struct Explanation: Sendable {
        let customer: MerchantCustomer
        let purchases: [OwnedPurchase]
        let transfers: [AccountTransfer]
    }

    private static let transfersShown = 50

    private static let why = ObjectForm<Explanation>(
        "What an answer rests on.",
        .text("account", "The app's name for it.", \.customer.account),
        .integer("version", "The version of the answer.", \.customer.version),
        .moment("asOf", "The moment for which it was judged.", \.customer.asOf),
        .list(
            "purchases", "By their latest transaction, the newest first.", \.purchases,
            of: CustomerForms.reason),
        .list(
            "transfers",
            "How purchases came from other accounts or went to them, whatever they unlock: the "
                + "last \(transfersShown), the newest first.", \.transfers,
            of: AccountForms.transfer))
}

extension MerchantCustomer {
    /// Names what is said: another version, another moment and another configuration may change it.
    fileprivate var entityTag: String {
        var text = ""
        func append(_ access: Access) {
            text += access.reason.rawValue
            for moment in [access.until, access.nextChange] {
                text += moment.map { " \($0.milliseconds)" } ?? " never"
            }
        }
        for entitlement in entitlements {
            text += "\n\(entitlement.id) \(entitlement.environment.name) "
            append(entitlement.access)
        }
        for purchase in purchases {
            text += "\n"
            append(purchase.access)
            for id in purchase.entitlements { text += " " + id }
        }
        let digest = DerivedUUID.text(seed: text, purpose: "entity tag", number: version)
        return "\"\(version)-\(digest)\""
    }
}

extension Call {
    /// The account that the path names.
    func account() throws -> String {
        try pathText("account", CustomersSurface.accountSchema)
    }
}
