import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Moves the clock to whatever happens next.
    static let stepClock = Endpoint.operatorWaits(
        .post, "/connect/v1/clock/step", "stepClock",
        OperationDescription(
            .theOperator, "Step to whatever happens next",
            detail: "Moves the clock to its `nextEvent` and answers when everything due at that "
                + "moment has happened. What is due already happens first and is no step. An "
                + "attempt to deliver a notification is a step too, and no event of a "
                + "subscription.",
            body: .members(
                .object(
                    "How often.",
                    .optional("count", .integer("So many steps; 1 unless given.", 1...1000)))),
            success: .ok(
                "The clock was moved.",
                .object(
                    "The clock after the steps.",
                    .required("now", .moment("What it shows.")),
                    .required(
                        "steps",
                        .integer("How many were made; fewer where nothing was ahead any more.")),
                    .required(
                        "changes", .integer("How many events of subscriptions happened.")))),
            failures: [.init(.conflict, "clockIsSystem"), .init(.conflict, "nothingAhead")])
    ) { call, input in
        let steps = try await call.store.step(input.integer("count").map(Int.init) ?? 1)
        return .object { json in
            json.field("now", steps.now.iso8601)
            json.field("steps", steps.count)
            json.field("changes", steps.changes)
        }
    }

    /// Lets time pass until the developer is told something.
    static let runUntil = Endpoint.operatorWaits(
        .post, "/connect/v1/clock/run-until", "runUntil",
        OperationDescription(
            .theOperator, "Run until a notification",
            detail: "Steps from event to event until such a notification has come into being, "
                + "whether or not it could be delivered. Those that are there already do not "
                + "count. After limitReached and nothingAhead the clock has moved. The run ends "
                + "where the connection does.",
            body: .members(
                .object(
                    "What is waited for.",
                    .required("notification", typeSchema),
                    .optional("subtype", subtypeSchema),
                    .optional("originalTransactionId", .identifier("Only about this one.")),
                    .optional(
                        "limit",
                        .text(
                            "How far at most: a step such as P1Y, or a moment; P2Y unless given.",
                            2...64, .durationOrMoment)))),
            success: .ok(
                "It has come into being.",
                .object(
                    "The clock, and the notification.",
                    .required("now", .moment("What the clock shows.")),
                    .required("changes", .integer("How many events of subscriptions happened.")),
                    .required("notification", .named("Notification")))),
            failures: [
                .init(.badRequest, "clockOutOfRange"), .init(.badRequest, "invalidSetting"),
                .init(.notFound, "unknownSubscription"), .init(.conflict, "clockIsSystem"),
                .init(.conflict, "clockWouldGoBack"), .init(.conflict, "limitReached"),
                .init(.conflict, "noNotificationURL"), .init(.conflict, "nothingAhead"),
            ])
    ) { call, input in
        let wanted = NotificationWanted(
            NotificationTypeV2(rawValue: input.requiredText("notification")),
            input.text("subtype").map(Subtype.init(rawValue:)),
            subscription: input.text("originalTransactionId").flatMap(Int64.init(identifier:)))
        let found: Occurrence
        do {
            found = try await call.store.runUntil(
                wanted, in: call.environment, limit: TimeLimit(input.text("limit")) ?? .usual)
        } catch let error as StoreError {
            // The clock's own refusals name the member of advancing.
            guard case .clock(.wouldGoBack) = error else { throw error }
            var complaint = ErrorBody(error)
            complaint.field = "limit"
            throw complaint
        }
        return .object { json in
            json.field("now", found.now.iso8601)
            json.field("changes", found.changes)
            json.object("notification") { found.notification.write(to: &$0) }
        }
    }

    static let typeSchema = Schema.choice(
        "A type of Apple's.", NotificationTypeV2.known.map(\.rawValue))

    static let subtypeSchema = Schema.choice(
        "A subtype that the type can have.", Subtype.known.map(\.rawValue))
}

extension TimeLimit {
    /// A step or a moment, as it is written; nil for none.
    init?(_ text: String?) {
        if let step = text.flatMap(CalendarStep.init(iso8601:)) {
            self = .step(step)
        } else if let moment = text.flatMap(Instant.init(iso8601:)) {
            self = .moment(moment)
        } else {
            return nil
        }
    }
}
