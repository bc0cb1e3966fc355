import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Reads the clock.
    static let getClock = Endpoint.operatorOnly(
        .get, "/connect/v1/clock", "getClock",
        OperationDescription(
            .theOperator, "Read the clock",
            detail: "One clock serves both environments.",
            success: .ok(
                "The clock.",
                .object(
                    "The clock.",
                    .required("now", .moment("What it shows.")),
                    .required(
                        "nowMilliseconds", .integer("The same, in milliseconds since 1970 UTC.")),
                    .required(
                        "mode",
                        .choice(
                            "How it goes: by the machine, by the machine plus an offset, or not.",
                            StoreClock.Mode.allCases.map(\.rawValue))),
                    .optional(
                        "nextEvent", .moment("When something happens next by itself.")),
                    .optional(
                        "held",
                        .choice(
                            "Why it stands still although it should go: the machine's clock went "
                                + "back behind it, or is beyond 2099.",
                            ["machineIsBehind", "rangeHasEnded"])),
                    .optional(
                        "behindMilliseconds",
                        .integer("How long the machine's clock needs to catch up.")))))
    ) { call, _ in
        let reading = try await call.store.clockReading()
        return .object { json in
            json.field("now", reading.now.iso8601)
            json.field("nowMilliseconds", reading.now.milliseconds)
            json.field("mode", reading.mode.rawValue)
            json.field("nextEvent", reading.nextEvent?.iso8601)
            switch reading.hold {
            case .machineIsBehind(let span):
                json.field("held", "machineIsBehind")
                json.field("behindMilliseconds", span.milliseconds)
            case .rangeHasEnded:
                json.field("held", "rangeHasEnded")
            case nil: break
            }
        }
    }

    /// Moves the clock: a year of renewals in one call.
    static let advanceClock = Endpoint.operatorOnly(
        .post, "/connect/v1/clock/advance", "advanceClock",
        OperationDescription(
            .theOperator, "Move the clock forward",
            detail: "Answers when everything due until then has happened and every notification "
                + "due was tried, in the order of their moments.",
            body: .members(
                .object(
                    "How far; exactly one of the two.", of: 1...1, or: "eitherByOrTo",
                    .optional(
                        "by", .text("A step from now on, such as P1M or PT1H.", 2...64, .duration)),
                    .optional("to", .moment("A later moment.")))),
            success: .ok(
                "The clock was moved.",
                .object(
                    "The clock after the move.",
                    .required("now", .moment("What it shows.")),
                    .required(
                        "changes", .integer("How many events of subscriptions happened.")))),
            failures: [
                .init(.badRequest, "clockOutOfRange"),
                .init(.conflict, "clockIsSystem"), .init(.conflict, "clockWouldGoBack"),
            ])
    ) { call, input in
        let advance: Advance
        if let step = input.text("by").flatMap(CalendarStep.init(iso8601:)) {
            advance = try await call.store.advance(by: step)
        } else {
            advance = try await call.store.advance(to: input.required(input.moment("to"), "to"))
        }
        return .object { json in
            json.field("now", advance.now.iso8601)
            json.field("changes", advance.changes)
        }
    }
}
