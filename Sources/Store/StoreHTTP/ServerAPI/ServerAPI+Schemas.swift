import AppStoreWire
import HTTPSurface
import Store

extension ServerAPI {
    /// The shapes that have names of their own in the document.
    static let schemas: [(name: String, schema: Schema)] = [
        ("HistoryResponse", historySchema), ("StatusResponse", statusSchema),
        ("SendAttemptItem", attemptSchema), ("NotificationItem", notificationItemSchema),
    ]

    /// The identifier of a transaction in the path.
    static func transactionID(
        _ name: String = "transactionId", _ about: String = "The transaction.",
        or error: APIError = .invalidTransactionId
    ) -> OperationDescription.Parameter {
        .path(name, .identifier(about), or: error)
    }

    /// Any identifier of a customer's in the path.
    static let anyTransactionID = transactionID(
        "anyTransactionId",
        "Any transaction, original transaction or app transaction of the customer.")

    static let revision = OperationDescription.Parameter.query(
        "revision", .text("The revision of the page before.", 1...1024),
        or: .invalidRequestRevision)

    static let environment = Schema.choice(
        "The server's environment.", AppStoreWire.Environment.known.map(\.rawValue))

    static let signedTransactions = Schema.list(
        "Signed transactions, at most 20.", of: .signed("A transaction"))

    /// What pages say of themselves.
    static let page: [Schema.Member] = [
        .required("revision", .text("What to send for the next page, or for what changes later.")),
        .required("hasMore", .boolean("Whether there is a next page.")),
    ]

    private static let app: [Schema.Member] = [
        .required("environment", environment),
        .required("bundleId", .bundleID("The app.")),
        .optional("appAppleId", .integer("The App Store's number of the app; not in Sandbox.")),
    ]

    private static let historySchema = Schema.object(
        "A page of transactions.",
        page + app + [.required("signedTransactions", signedTransactions)])

    private static let statusSchema = Schema.object(
        "The subscriptions of a customer.",
        app + [
            .required(
                "data",
                .list(
                    "One a subscription group.",
                    of: .object(
                        "A subscription group.",
                        .required("subscriptionGroupIdentifier", .text("The group.")),
                        .required(
                            "lastTransactions",
                            .list("One a subscription.", of: lastTransactionSchema)))))
        ])

    private static let lastTransactionSchema = Schema.object(
        "A subscription.",
        .required("originalTransactionId", .identifier("The subscription.")),
        .required("status", statusNumber),
        .required("signedTransactionInfo", .signed("The newest transaction")),
        .required("signedRenewalInfo", .signed("What comes next")))

    static let statusNumber = Schema.numbers(
        "1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked.",
        Status.known.map { Int64($0.rawValue) })

    private static let attemptSchema = Schema.object(
        "An attempt to send a notification.",
        .required("attemptDate", .integer("When, in milliseconds since 1970.")),
        .required(
            "sendAttemptResult",
            .choice("What came of it.", SendAttemptResult.known.map(\.rawValue))))

    static let notificationItemSchema = Schema.object(
        "A notification.",
        .required("signedPayload", .signed("What was sent")),
        .required("sendAttempts", .list("At most six.", of: .named("SendAttemptItem"))),
        .optional(
            "firstSendAttemptResult",
            .choice("What came of the first.", SendAttemptResult.known.map(\.rawValue))))
}
