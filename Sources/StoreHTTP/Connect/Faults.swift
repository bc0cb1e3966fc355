import AppStoreWire
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
        .post, "/connect/v1/faults", "addFault",
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
                .init(.badRequest, "invalidSetting"), .init(.badRequest, "otherKind"),
                .init(.notFound, "unknownApp"),
            ])
    ) { call, input in
        let fault = try await call.store.addFault(try FaultRule(input), in: call.environment)
        return .object(status: .created) { fault.write(to: &$0) }
    }

    /// Takes a rule back.
    static let removeFault = Endpoint.operatorOnly(
        .delete, "/connect/v1/faults/{id}", "removeFault",
        OperationDescription(
            .theOperator, "Remove a fault rule",
            parameters: [.path("id", .identifier("The rule."))], success: .nothing("Removed."),
            failures: [.init(.notFound, "unknownFault")])
    ) { call, _ in
        let id = try call.pathIdentifier("id", or: StoreError.unknownFault)
        try await call.store.removeFault(id, in: call.environment)
        return .empty(.noContent)
    }

    /// Takes all rules back.
    static let clearFaults = Endpoint.operatorOnly(
        .delete, "/connect/v1/faults", "clearFaults",
        OperationDescription(
            .theOperator, "Remove all fault rules of this environment",
            success: .ok(
                "Removed.",
                .object("How many.", .required("removed", .integer("How many there were.")))))
    ) { call, _ in
        let count = try await call.store.clearFaults(in: call.environment)
        return .object { $0.field("removed", count) }
    }

    private static let operations = ServerAPI.endpoints.map(\.name)

    private static let faultMembers: [Schema.Member] = [
        .required(
            "kind",
            .choice(
                "What goes wrong. An attempt is dropped (it fails and is made again in "
                    + "Production), lost (it counts as delivered and never arrives) or repeated; "
                    + "first attempts are delayed, or delayed by chance and so reordered; calls "
                    + "fail, are limited, or slow.", FaultKind.allCases.map(\.rawValue))),
        .optional("bundleId", .bundleID("Only for this app.")),
        .optional("notificationType", typeSchema), .optional("subtype", subtypeSchema),
        .optional("operation", .choice("Only calls of this endpoint.", operations)),
        .optional(
            "by",
            .text(
                "How long, such as PT5M; without months. delayNotifications: how much later. "
                    + "reorderNotifications: how much later at most; PT1M unless given. "
                    + "slowCalls: for how long, up to PT30S. limitCalls: when to come back; the "
                    + "next full hour unless given.", 2...32, .duration)),
        .optional("times", .integer("How many copies; 1 unless given.", 1...100)),
        .optional("errorCode", .integer("What failCalls answers, such as 5000001.")),
        .optional("percent", .integer("How many of a hundred; 100 unless given.", 1...100)),
        .optional(
            "seed",
            .text(
                "The same seed makes the same choices; one of its own unless given.", 1...64,
                .visible)),
        .optional("count", .integer("Applies so many times at most.", 1...1_000_000)),
    ]

    private static let faultRequestSchema = Schema.object("A rule.", faultMembers)

    static let faultSchema = Schema.object(
        "A rule by which the outside goes wrong, and how it fares.",
        [.required("id", .integer("Its number."))] + faultMembers + [
            .required("created", .moment("When it was made, by the store's clock.")),
            .required("candidates", .integer("What it could have been applied to so far.")),
            .required("applied", .integer("How often it was.")),
            .required("spent", .boolean("Whether it has applied as often as it may.")),
        ])
}

// MARK: Reading a rule

extension FaultRule {
    /// - Throws: a `Complaint` when a member is missing, or belongs to another kind.
    fileprivate init(_ input: Input) throws(Complaint) {
        guard let kind = FaultKind(rawValue: input.requiredText("kind")) else {
            preconditionFailure("a kind was declared that is none")
        }
        for name in ["notificationType", "subtype", "operation", "by", "times", "errorCode"]
        where input.has(name) && !kind.takes(name) {
            throw Complaint(
                .badRequest, "otherKind", "`\(name)` does not belong to \(kind): leave it out.",
                field: name)
        }
        guard !input.has("subtype") || input.has("notificationType") else {
            throw FaultRule.missing("notificationType", "the type that has the subtype")
        }
        self.init(
            kind.concernsCalls
                ? .calls(
                    try FaultRule.callFault(kind, input), operation: input.text("operation"))
                : .notifications(
                    try FaultRule.notificationFault(kind, input),
                    type: input.text("notificationType").map(NotificationTypeV2.init(rawValue:)),
                    subtype: input.text("subtype").map(Subtype.init(rawValue:))),
            bundleID: input.text("bundleId"),
            percent: input.integer("percent").map(Int.init) ?? 100,
            seed: input.text("seed"), most: input.integer("count").map(Int.init))
    }

    private static func notificationFault(
        _ kind: FaultKind, _ input: Input
    ) throws(Complaint) -> NotificationFault {
        switch kind {
        case .dropNotifications: return .drop
        case .loseNotifications: return .lose
        case .repeatNotifications:
            return .repeats(times: input.integer("times").map(Int.init) ?? 1)
        case .delayNotifications: return .delay(try requiredSpan(input))
        case .reorderNotifications: return .reorder(within: try span(input) ?? .minutes(1))
        case .failCalls, .limitCalls, .slowCalls:
            preconditionFailure("\(kind) is about calls")
        }
    }

    private static func callFault(
        _ kind: FaultKind, _ input: Input
    ) throws(Complaint) -> CallFault {
        switch kind {
        case .failCalls:
            guard let code = input.integer("errorCode") else {
                throw missing("errorCode", "a code of the App Store Server API such as 5000001")
            }
            // The store says which codes there are.
            return .fail(APIError.all[code] ?? APIError(code: code, name: "", message: ""))
        case .limitCalls: return .limit(pause: try span(input))
        case .slowCalls: return .slow(try requiredSpan(input))
        case .dropNotifications, .loseNotifications, .repeatNotifications, .delayNotifications,
            .reorderNotifications:
            preconditionFailure("\(kind) is about notifications")
        }
    }

    private static func requiredSpan(_ input: Input) throws(Complaint) -> Span {
        guard let span = try span(input) else { throw missing("by", "a duration such as PT5M") }
        return span
    }

    private static func span(_ input: Input) throws(Complaint) -> Span? {
        guard let step = input.text("by").flatMap(CalendarStep.init(iso8601:)) else { return nil }
        guard step.months == 0 else {
            throw Complaint(
                .badRequest, "invalidMember",
                "`by` is not valid: months differ in length, send a duration such as P7D or PT5M.",
                field: "by")
        }
        return Span(milliseconds: Span.days(step.days).milliseconds + step.time.milliseconds)
    }

    private static func missing(_ name: String, _ what: String) -> Complaint {
        Complaint(
            .badRequest, "missingMember", "`\(name)` is missing: send \(what).", field: name)
    }
}

extension FaultKind {
    /// Whether a member belongs to rules of this kind; those that all have are not asked for.
    fileprivate func takes(_ member: String) -> Bool {
        switch member {
        case "notificationType", "subtype": !concernsCalls
        case "operation": concernsCalls
        case "times": self == .repeatNotifications
        case "errorCode": self == .failCalls
        default:
            switch self {
            case .delayNotifications, .reorderNotifications, .limitCalls, .slowCalls: true
            case .dropNotifications, .loseNotifications, .repeatNotifications, .failCalls: false
            }
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

extension Span {
    /// The length in ISO 8601, in whole seconds: `P1DT2H`, `PT1M30S`.
    fileprivate var iso8601: String {
        let seconds = milliseconds / 1000
        let days = seconds / 86_400
        let parts = [(seconds / 3600 % 24, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        let time = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return "P" + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T\(time)")
    }
}
