import AppStoreForgery
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules
import TimeAndChance

/// Proofs that are wrong on purpose, for who tests a verifier.
extension ConnectSurface {
    /// Which kinds there are.
    static let listForgeries = Endpoint.operatorOnly(
        .get, "/connect/v1/forgeries", "listForgeries",
        OperationDescription(
            .theOperator, "List the kinds of forgeries",
            detail: "What is wrong with each, and what a verifier must answer. Among them are "
                + "texts that must be accepted.",
            parameters: [.query("about", .choice("Only those of this sort.", subjects))],
            success: .ok(
                "The kinds.",
                .object(
                    "Kinds.",
                    .required("forgeries", .list("By sort.", of: .named("ForgeryKind"))))))
    ) { _, input in
        let kinds = kinds(about: input.parameter("about")?.string)
        return .object { json in
            json.array("forgeries") { json in
                for kind in kinds { json.elementObject { kind.write(to: &$0) } }
            }
        }
    }

    /// Makes forged texts of a purchase.
    static let forge = Endpoint.operatorOnly(
        .post, "/connect/v1/forgeries", "forge",
        OperationDescription(
            .theOperator, "Forge proofs of a purchase",
            detail: "Each text is made of a real transaction, wrong in the one way that its kind "
                + "says, and kept nowhere: nothing in the world changes. A test suite asks for all "
                + "and loops over them. Request tokens and in-app requests are signed with the key "
                + "that the store was started with, at the machine's time, and are soon too old.",
            body: .members(order), success: .ok("The texts.", made),
            failures: [
                .init(.notFound, "unknownApp"), .init(.notFound, "unknownTransaction"),
                .init(.conflict, "nothingToForge"), .init(.conflict, "notForgeable"),
                .init(.conflict, "noForgerHere"),
            ])
    ) { call, input in
        guard let forger = call.site.server.forger else { throw ErrorBody.noForgerHere }
        let name = input.requiredText("kind")
        let caller = Caller(
            bundleID: input.requiredText("bundleId"), environment: call.environment)
        let purchase = try await call.store.provenPurchase(
            input.text("transactionId").flatMap(Int64.init), for: caller)
        guard let purchase else { throw ErrorBody.nothingToForge(caller.bundleID) }
        let material = ForgeryMaterial(purchase, at: call.site.server.machineTime())
        let isAll = name == "all"
        let kinds = isAll ? kinds(about: input.text("about")) : kinds(named: name)
        let (made, leftOut) = try forge(kinds, of: material, by: forger, leavesOut: isAll)
        var answer = Response.object { json in
            json.array("forgeries") { json in
                for forgery in made { json.elementObject { forgery.write(to: &$0) } }
            }
            json.array("leftOut") { json in
                for (kind, why) in leftOut {
                    json.elementObject { json in
                        json.field("name", kind.name)
                        json.field("why", why.description)
                    }
                }
            }
        }
        // Among them are tokens that are good.
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    /// - Parameter leavesOut: whether what cannot be made is only told, and not refused.
    private static func forge(
        _ kinds: [ForgeryKind], of material: ForgeryMaterial, by forger: Forger, leavesOut: Bool
    ) throws -> (made: [Forgery], leftOut: [(ForgeryKind, ForgeryImpossible)]) {
        var made: [Forgery] = []
        var leftOut: [(ForgeryKind, ForgeryImpossible)] = []
        var chance = MachineGenerator()
        for kind in kinds {
            do {
                made.append(try forger.make(kind, of: material, using: &chance))
            } catch let why as ForgeryImpossible {
                guard leavesOut else { throw ErrorBody.notForgeable(why) }
                leftOut.append((kind, why))
            }
        }
        return (made, leftOut)
    }

    private static let subjects = ForgerySubject.allCases.map(\.rawValue)

    private static func kinds(about: String?) -> [ForgeryKind] {
        ForgeryKind.all.filter { about == nil || $0.about.rawValue == about }
    }

    private static func kinds(named name: String) -> [ForgeryKind] {
        guard let kind = ForgeryKind.named(name) else {
            preconditionFailure("a kind was declared that is none")
        }
        return [kind]
    }

    // MARK: Shapes

    private static let order = Schema.object(
        "What to forge.",
        .required(
            "kind", .choice("The kind, or all.", ["all"] + ForgeryKind.all.map(\.name))),
        .optional("about", .choice("Of all only those of this sort.", subjects)),
        .required("bundleId", .bundleID("The app.")),
        .optional(
            "transactionId",
            .identifier(
                "Of what; unless given the newest of a subscription, or else the newest there is."))
    )

    private static let made = Schema.object(
        "Forgeries.",
        .required("forgeries", .list("In the order of the kinds.", of: .named("Forgery"))),
        .required(
            "leftOut",
            .list(
                "Kinds that cannot be made of this purchase; only where all were asked for.",
                of: .object(
                    "A kind.", .required("name", .text("Its name.")),
                    .required("why", .text("What is missing."))))))

    private static let kindMembers: [Schema.Member] = [
        .required("name", .text("Its name, which stays.")),
        .required("about", .choice("What its texts pretend to be.", subjects)),
        .required("why", .text("What is wrong.")),
        .required("mustBe", .choice("What a verifier must do.", ["accepted", "refused"])),
        .optional(
            "code", .text("The code of our own verifier's refusal; absent where it accepts.")),
        .optional(
            "appleStatus",
            .choice(
                "The VerificationStatus of Apple's library for Python, without online checks; "
                    + "absent where it has no verifier.", AppleStatus.allCases.map(\.rawValue))),
        .optional("difference", .text("Why Apple's library accepts what must be refused.")),
        .optional(
            "lookAt",
            .text("What a server has to look at by itself: no verifier sees what is wrong.")),
        .optional(
            "onlyIn", .choice("The only environment in which it is wrong.", ["Production"])),
    ]

    static let forgeryKindSchema = Schema.object("A way to be wrong.", kindMembers)

    static let forgerySchema = Schema.object(
        "A text that is wrong in one known way.",
        kindMembers + [
            .required("text", .text("The text, as it would be received.")),
            .optional(
                "first",
                .text("A genuine text that a server has to be shown before, where that counts.")),
        ])
}

extension ForgeryMaterial {
    /// - Parameter now: the machine's time.
    fileprivate init(_ purchase: ProvenPurchase, at now: Instant) {
        self.init(
            transaction: purchase.transaction, renewalInfo: purchase.renewalInfo,
            status: purchase.status, appTransaction: purchase.appTransaction,
            ofOther: purchase.ofOther, appAppleID: purchase.appAppleID,
            now: Double(now.milliseconds) / 1000)
    }
}

extension ForgeryKind {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("name", name)
        json.field("about", about.rawValue)
        json.field("why", why)
        json.field("mustBe", mustBeRefused ? "refused" : "accepted")
        json.field("code", answer.code)
        json.field("appleStatus", appleStatus?.rawValue)
        json.field("difference", difference)
        json.field("lookAt", lookAt)
        json.field("onlyIn", onlyIn?.rawValue)
    }
}

extension Forgery {
    fileprivate func write(to json: inout JSONWriter) {
        kind.write(to: &json)
        json.field("text", text)
        json.field("first", first)
    }
}
