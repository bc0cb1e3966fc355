import AppStoreWire

/// What the store has to say to the customer in the app, written out in the customer's language.
/// StoreKit shows it by itself; without a system the app does, and says that it was seen.
public struct Message: Sendable, Identifiable {
    /// What a message is about.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The store's word.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// A higher price needs the customer's agreement.
        public static let priceIncreaseConsent = Reason(rawValue: "priceIncreaseConsent")
        /// A higher price comes, with or without an answer.
        public static let priceIncreaseNotice = Reason(rawValue: "priceIncreaseNotice")
        /// A payment failed.
        public static let billingIssue = Reason(rawValue: "billingProblem")
    }

    /// Its number.
    public let id: UInt64
    /// What it is about; there are more than have names here.
    public let reason: Reason
    /// The subscription that it is about, if it is about one.
    public let originalTransactionID: UInt64?
    /// In the customer's language.
    public let title: String
    /// In the customer's language.
    public let body: String
    /// What can be answered, what is asked for first. Answers are given at the subscription.
    public let buttons: [String]
    /// The language, such as `de`.
    public let language: String
    let session: StoreSession

    /// The messages that are true now and were not seen, oldest first. The sequence ends with the
    /// last one: iterate it when the app is opened, and after updates.
    public static func messages(in session: StoreSession) -> Messages {
        Messages(session: session)
    }

    /// Says that the customer has seen it: it is not shown again. Saying it again is no error.
    public func markSeen() async throws(StoreKitError) {
        _ = try await session.exchange.send(
            "POST", StorePath("/storefront/v1/in-app-messages/\(id)/seen"),
            as: session.keeper.token())
    }

    /// See ``Message/messages(in:)``.
    public struct Messages: AsyncSequence, Sendable {
        public typealias Element = Message

        fileprivate let session: StoreSession

        public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

        /// Goes through them, a page at a time.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let session: StoreSession
            private var entries: ArraySlice<Message> = []
            private var after: String?
            private var isAtEnd = false

            fileprivate init(session: StoreSession) { self.session = session }

            /// - Throws: where the store cannot be asked or its answer cannot be read.
            public mutating func next() async throws(StoreKitError) -> Message? {
                while entries.isEmpty, !isAtEnd {
                    let page = try await session.exchange.get(
                        StorePath("/storefront/v1/in-app-messages").with("after", after))
                    var found: [Message] = []
                    for entry in try page.requiredList("messages", "a page") {
                        found.append(try Message(entry, session))
                    }
                    entries = found[...]
                    after = found.last.map { String($0.id) }
                    isAtEnd = page["hasMore"]?.bool != true || found.isEmpty
                }
                return entries.popFirst()
            }
        }
    }

    private init(_ json: JSONValue, _ session: StoreSession) throws(StoreKitError) {
        guard let id = UInt64(try json.requiredText("id", "a message")) else {
            throw .invalidResponse("a message has no number")
        }
        self.id = id
        reason = Reason(rawValue: try json.requiredText("kind", "a message"))
        originalTransactionID = json["originalTransactionId"]?.string.flatMap { UInt64($0) }
        title = try json.requiredText("title", "a message")
        body = try json.requiredText("body", "a message")
        buttons = try json.requiredList("buttons", "a message").compactMap(\.string)
        language = try json.requiredText("language", "a message")
        self.session = session
    }
}

/// A price increase that was announced, and waits for an answer or is only told.
public struct PriceIncrease: Sendable {
    /// Whether it is the end of an offer, which is told like an increase in Korea.
    public let isOfferConversion: Bool
    /// The subscription.
    public let originalTransactionID: UInt64
    /// Its product.
    public let productID: String
    /// What the customer pays for a period, in thousandths of the currency's unit.
    public let oldPriceMilliunits: Int64
    /// What a period will cost, in thousandths of the currency's unit.
    public let newPriceMilliunits: Int64
    /// The currency, ISO 4217.
    public let currencyCode: String
    /// The renewal that first charges the new price: ISO 8601, by the store's clock.
    public let renewal: String
    /// Whether the subscription ends unless the customer agrees; else it is a notice.
    public let needsConsent: Bool
    let session: StoreSession

    /// Those that the customer is to be shown, in the order of the subscriptions.
    public static func pending(in session: StoreSession) async throws(StoreKitError)
        -> [PriceIncrease]
    {
        let answer = try await session.exchange.get("/storefront/v1/messages")
        var found: [PriceIncrease] = []
        for entry in try answer.requiredList("messages", "the messages") {
            found.append(try PriceIncrease(entry, session))
        }
        return found
    }

    /// The customer's answer. Declining turns renewal off; agreeing afterwards turns it on again.
    @discardableResult
    public func answer(
        agrees: Bool
    ) async throws -> Product.SubscriptionInfo.Status.ChangeResult {
        try await session.answerPriceIncrease(of: originalTransactionID, agrees: agrees)
    }

    private init(_ json: JSONValue, _ session: StoreSession) throws(StoreKitError) {
        let what = "a price increase"
        guard let id = UInt64(try json.requiredText("originalTransactionId", what)) else {
            throw .invalidResponse("a price increase has no subscription")
        }
        originalTransactionID = id
        isOfferConversion = try json.requiredText("type", what) == "offerConversion"
        productID = try json.requiredText("productId", what)
        oldPriceMilliunits = try json.requiredInteger("oldPrice", what)
        newPriceMilliunits = try json.requiredInteger("newPrice", what)
        currencyCode = try json.requiredText("currency", what)
        renewal = try json.requiredText("renewal", what)
        needsConsent = try json.requiredBool("needsConsent", what)
        self.session = session
    }
}
