import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Which rules there are, and how they fare.
    static let listFaults = Endpoint.operatorOnly(
        .get, "/connect/v1/faults", "listFaults",
        OperationDescription(
            .theOperator, "List the fault rules of this environment",
            detail: "In the order in which they were made, also those that are spent.",
            success: .ok(
                "The rules.",
                .object(
                    "Rules.", .required("faults", .list("Oldest first.", of: .named("Fault"))))))
    ) { call, _ in
        let faults = try await call.store.faults(in: call.environment)
        return .object { json in
            json.array("faults") { json in
                for fault in faults { json.elementObject { fault.write(to: &$0) } }
            }
        }
    }

    /// Makes the outside go wrong from now on.
    static let addFault = Endpoint.operatorOnly(
        .post, "/connect/v1/faults", "addFault", canRehearse: true,
        OperationDescription(
            .theOperator, "Add a fault rule",
            detail: "Rules about notifications decide at each attempt, or at the first one where "
                + "they are about time; the log shows which were applied. Rules about calls "
                + "answer the App Store Server API in place of the store, after the request "
                + "token was checked, and never touch these routes. A rule changes nothing that "
                + "the store knows.",
            body: .members(faultRequestSchema),
            success: .created("In force.", .named("Fault")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
            ])
    ) { call, input in
        let fault = try await call.store.addFault(try FaultRule(input), in: call.environment)
        return .object(status: .created) { fault.write(to: &$0) }
    }

    /// Takes a rule back.
    static let removeFault = Endpoint.operatorOnly(
        .delete, "/connect/v1/faults/{id}", "removeFault", canRehearse: true,
        OperationDescription(
            .theOperator, "Remove a fault rule",
            parameters: [.path("id", .identifier("The rule."))], success: .nothing("Removed."),
            failures: [.init(.notFound, "unknownFault")])
    ) { call, _ in
        let id = try call.pathIdentifier("id", of: .fault)
        try await call.store.removeFault(id, in: call.environment)
        return .empty(.noContent)
    }

    /// Takes all rules back.
    static let clearFaults = Endpoint.operatorOnly(
        .delete, "/connect/v1/faults", "clearFaults", canRehearse: true,
        OperationDescription(
            .theOperator, "Remove all fault rules of this environment",
            success: .ok(
                "Removed.",
                .object("How many.", .required("removed", .integer("How many there were.")))))
    ) { call, _ in
        let count = try await call.store.clearFaults(in: call.environment)
        return .object { $0.field("removed", count) }
    }

    private static let operations =
        (ServerAPI.endpoints + AdvancedCommerceAPI.endpoints + ReceiptSurface.endpoints).map(
            \.name)

    private static let kind = Schema.Member.required(
        "kind",
        .choice(
            "What goes wrong. An attempt is dropped (it fails and is made again in Production), "
                + "lost (it counts as delivered and never arrives) or repeated; first attempts "
                + "are delayed, or delayed by chance and so reordered; calls fail, are limited, "
                + "or slow.", FaultKind.allCases.map(\.rawValue)))

    /// What rules of every kind can have.
    private static let ofAll: [Schema.Member] = [
        .optional("bundleId", .bundleID("Only for this app.")),
        .optional("percent", .integer("How many of a hundred; 100 unless given.", 1...100)),
        .optional(
            "seed",
            .text(
                "The same seed makes the same choices; one of its own unless given.", 1...64,
                .visible)),
        .optional("count", .integer("Applies so many times at most.", 1...1_000_000)),
    ]

    private static let ofNotifications: [Schema.Member] = [
        .optional("notificationType", typeSchema), .optional("subtype", subtypeSchema),
    ]

    private static let ofCalls: [Schema.Member] = [
        .optional("operation", .choice("Only calls of this endpoint.", operations))
    ]

    private static let times = Schema.Member.optional(
        "times", .integer("How many copies; 1 unless given.", 1...100))

    private static func by(_ about: String, isRequired: Bool = false) -> Schema.Member {
        Schema.Member(
            name: "by", schema: .text("How long, such as PT5M: \(about)", 2...64, .span),
            isRequired: isRequired)
    }

    /// What rules of one kind have besides.
    private static func members(of kind: FaultKind) -> [Schema.Member] {
        switch kind {
        case .dropNotifications, .loseNotifications: ofNotifications
        case .repeatNotifications: ofNotifications + [times]
        case .delayNotifications: ofNotifications + [by("how much later.", isRequired: true)]
        case .reorderNotifications:
            ofNotifications + [by("how much later at most; PT1M unless given.")]
        case .failCalls: ofCalls + [.required("errorCode", errorCode)]
        case .limitCalls:
            ofCalls + [by("when to come back; the next full hour unless given.")]
        case .slowCalls: ofCalls + [by("for how long, up to PT30S.", isRequired: true)]
        }
    }

    private static let errorCode = Schema.integer(
        "What is answered, such as 5000001; for verifyReceipt also its own statuses, such as 21005."
    )

    private static let faultRequestSchema = Schema(
        kind: .variants(
            Schema.Variants(
                key: kind,
                members: FaultKind.allCases.map { ($0.rawValue, members(of: $0) + ofAll) },
                code: "otherKind")), about: "A rule.")

    static let faultSchema = Schema.object(
        "A rule by which the outside goes wrong, and how it fares.",
        [.required("id", .integer("Its number.")), kind] + ofNotifications + ofCalls + [
            times, by("how much later, how long, or when to come back."),
            .optional("errorCode", errorCode),
        ] + ofAll + [
            .required("created", .moment("When it was made, by the store's clock.")),
            .required("candidates", .integer("What it could have been applied to so far.")),
            .required("applied", .integer("How often it was.")),
            .required("spent", .boolean("Whether it has applied as often as it may.")),
        ])
}

// MARK: Reading a rule

extension FaultRule {
    /// - Throws: an `ErrorBody` when there is a subtype without its type.
    fileprivate init(_ input: Input) throws(ErrorBody) {
        guard let kind = FaultKind(rawValue: input.requiredText("kind")) else {
            preconditionFailure("a kind was declared that is none")
        }
        guard !input.has("subtype") || input.has("notificationType") else {
            throw ErrorBody(
                .badRequest, "invalidSetting",
                "`subtype` cannot be set so: send the notificationType that has it.",
                field: "subtype")
        }
        self.init(
            kind.concernsCalls
                ? .calls(
                    FaultRule.callFault(kind, input), operation: input.text("operation"))
                : .notifications(
                    FaultRule.notificationFault(kind, input),
                    type: input.text("notificationType").map(NotificationTypeV2.init(rawValue:)),
                    subtype: input.text("subtype").map(Subtype.init(rawValue:))),
            bundleID: input.text("bundleId"),
            percent: input.integer("percent").map(Int.init) ?? 100,
            seed: input.text("seed"), most: input.integer("count").map(Int.init))
    }

    private static func notificationFault(
        _ kind: FaultKind, _ input: Input
    ) -> NotificationFault {
        switch kind {
        case .dropNotifications: return .drop
        case .loseNotifications: return .lose
        case .repeatNotifications:
            return .repeats(times: input.integer("times").map(Int.init) ?? 1)
        case .delayNotifications: return .delay(input.required(input.span("by"), "by"))
        case .reorderNotifications: return .reorder(within: input.span("by") ?? .minutes(1))
        case .failCalls, .limitCalls, .slowCalls:
            preconditionFailure("\(kind) is about calls")
        }
    }

    private static func callFault(_ kind: FaultKind, _ input: Input) -> CallFault {
        switch kind {
        case .failCalls:
            // The store says which codes there are.
            return .fail(code: input.required(input.integer("errorCode"), "errorCode"))
        case .limitCalls: return .limit(pause: input.span("by"))
        case .slowCalls: return .slow(input.required(input.span("by"), "by"))
        case .dropNotifications, .loseNotifications, .repeatNotifications, .delayNotifications,
            .reorderNotifications:
            preconditionFailure("\(kind) is about notifications")
        }
    }
}

// MARK: Writing a rule

extension FaultStatus {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("kind", rule.kind.rawValue)
        json.field("bundleId", rule.bundleID)
        switch rule.effect {
        case .notifications(let fault, let type, let subtype):
            json.field("notificationType", type?.rawValue)
            json.field("subtype", subtype?.rawValue)
            switch fault {
            case .drop, .lose: break
            case .repeats(let times): json.field("times", times)
            case .delay(let span), .reorder(let span): json.field("by", span.iso8601)
            }
        case .calls(let fault, let operation):
            json.field("operation", operation)
            switch fault {
            case .fail(let error): json.field("errorCode", error.code)
            case .limit(let pause): json.field("by", pause?.iso8601)
            case .slow(let span): json.field("by", span.iso8601)
            }
        }
        json.field("percent", rule.percent)
        json.field("seed", rule.seed)
        json.field("count", rule.most)
        json.field("created", created.iso8601)
        json.field("candidates", candidates)
        json.field("applied", applied)
        json.field("spent", isSpent)
    }
}
