import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// What happened and what will, for whoever looks at a whole world.
extension ConnectSurface {
    /// How the journal is given out.
    private static let journalPages = Paging(
        "entries", "Newest first.",
        of: .object(
            "Something that happened.",
            .required("account", .text("To whom.")),
            .optional("originalTransactionId", .identifier("To which subscription.")),
            .required("entry", .named("TimelineEntry"))), .before,
        .integer("The sequence of the last one of the page before."))

    /// What happened lately, whoever it happened to.
    static let listJournal = Endpoint.operatorOnly(
        .get, "/connect/v1/journal", "listJournal",
        OperationDescription(
            .theOperator, "List what happened in this environment",
            detail: "Newest first: what the timelines of all subscriptions say, and what happened "
                + "to customers besides.",
            parameters: journalPages.parameters,
            success: journalPages.success("A page of the journal.", "Entries."))
    ) { call, input in
        try await journalPages.page(input) { before, limit in
            try await call.store.happenings(in: call.environment, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { json in
                json.field("account", one.account)
                json.field("originalTransactionId", one.subscription.map(String.init))
                json.field("entry", one.entry)
            }
        }
    }

    /// How often what happened, for whoever moved the clock.
    static let countJournal = Endpoint.operatorOnly(
        .get, "/connect/v1/journal/counts", "countJournal",
        OperationDescription(
            .theOperator, "Count what happened since an entry",
            detail: "Of both environments, since they have one clock. At most "
                + "\(Store.mostCounted) are counted.",
            parameters: [
                .query(
                    "after",
                    .integer(
                        "The sequence of an entry; absent for none: then only `newest` counts."))
            ],
            success: .ok(
                "The counts.",
                .object(
                    "What happened since.",
                    .required("newest", .integer("The newest entry's sequence; 0 for none.")),
                    .required(
                        "counts",
                        .list(
                            "Most often first.",
                            of: kindCount(
                                "A kind of event; what fell due is renewed, expired, "
                                    + "paymentDeclined or priceIncreaseAnnounced."))))))
    ) { call, input in
        let after = input.parameter("after")?.integer ?? .max
        let (newest, counts) = try await call.store.happened(after: after)
        return .object { json in
            json.field("newest", newest)
            write(counts, to: &json)
        }
    }

    /// What moving the clock would bring.
    static let getDue = Endpoint.operatorOnly(
        .get, "/connect/v1/clock/due", "getDue",
        OperationDescription(
            .theOperator, "Count what falls due until a moment",
            detail: "Of both environments. Of each subscription what happens first is counted; "
                + "what follows from it within the same time is not. At most "
                + "\(Store.mostCounted) subscriptions are counted.",
            parameters: [
                .query(
                    "until",
                    .text(
                        "A step from now on, or a moment; P2Y unless given.", 2...64,
                        .durationOrMoment))
            ],
            success: .ok(
                "What is due.",
                .object(
                    "Until a moment.",
                    .required("until", .moment("The moment.")),
                    .required(
                        "counts",
                        .list("By kind.", of: kindCount("Such as renewal, ending, retry."))))),
            failures: [
                .init(.badRequest, "clockOutOfRange"), .init(.conflict, "clockWouldGoBack"),
            ])
    ) { call, input in
        let limit = TimeLimit(input.parameter("until")?.string) ?? .usual
        let (moment, counts) = try await call.store.due(within: limit)
        return .object { json in
            json.field("until", moment.iso8601)
            write(counts, to: &json)
        }
    }

    private static func kindCount(_ about: String) -> Schema {
        .object(
            "How often.", .required("kind", .text(about)),
            .required("count", .integer("How many.")))
    }

    private static func write(_ counts: [KindCount], to json: inout JSONWriter) {
        json.array("counts") { json in
            for one in counts {
                json.elementObject { json in
                    json.field("kind", one.kind)
                    json.field("count", one.count)
                }
            }
        }
    }
}
