import Storage
public import SubscriptionRules

/// A customer's account in one environment.
public struct Customer: Sendable {
    public let id: Int64
    public let environment: StoreEnvironment
    /// The name that the customer signs in with.
    public let account: String
    public internal(set) var storefront: Storefront
    public internal(set) var locale: String
    public let created: Instant
    public internal(set) var paymentMethod: PaymentMethod
    /// What a bank outside collects by, if the customer gave one anything.
    public internal(set) var bankMethod: BankMethod?
    /// How fast Sandbox subscriptions of this account renew.
    public internal(set) var sandboxSpeed: SandboxSpeed
    /// Whether somebody else approves each purchase, as for a child (ATB-1).
    public internal(set) var asksToBuy = false
    /// Whether each purchase is interrupted until the customer settles something (INT-4).
    public internal(set) var interruptsPurchases = false
    /// Whether the account may pay for anything at all (CAN-1).
    public internal(set) var canMakePayments = true
    /// Where mails go; nil for the account's name, where that is an address.
    public internal(set) var email: String?
    /// The organiser of the family that the customer is in, whose row is locked for all of it; nil
    /// without a family.
    var organiser: Int64?
    /// Whether new purchases are shared with the family (FAM-3).
    public internal(set) var sharesNewPurchases = true

    /// Whether the customer wants to hear of what can be shared, or is (HIG-27).
    public internal(set) var hearsOfSharing = true

    static let columns = """
        c.id, c.environment, c.account, c.storefront, c.locale, c.created_at, c.declines, \
        c.declines_until, c.declines_left, c.sandbox_speed, c.answers_later, c.answers_after, \
        c.bank_method, c.bank_refusal, c.asks_to_buy, c.interrupts_purchases, \
        c.can_make_payments, c.email, c.organiser, c.shares_new, c.hears_of_sharing
        """

    /// The tempo at which this customer's subscriptions renew.
    var tempo: Tempo {
        switch environment {
        case .production: .real
        case .sandbox: .sandbox(sandboxSpeed)
        }
    }
}

extension Customer {
    /// Whether a name can be an account's: 1 to 256 characters, no control characters, and no
    /// white space at either end, which nobody sees and everybody types otherwise.
    public static func isAccount(_ name: String) -> Bool {
        (1...256).contains(name.count)
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            && !isBlank(name.unicodeScalars.first) && !isBlank(name.unicodeScalars.last)
    }

    /// What an account's name must be, as the end of a sentence.
    public static let accountRule =
        "1 to 256 characters without control characters, and without spaces at either end"

    /// Refuses the name of a new account that has characters which nobody sees, so that it would
    /// look like another one or like none. Accounts that are there keep such names.
    ///
    /// - Throws: `StoreError.setting(.invalid)`.
    static func checkNew(_ name: String) throws(StoreError) {
        guard let hidden = InvisibleCharacter.all(in: name).first else { return }
        throw .setting(
            .invalid("account", reason: "the name has the invisible character \(hidden)"))
    }

    private static func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.isWhitespace ?? true
    }

    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) throws(StorageError) {
        let row = StoredRow(row, of: "customer", Customer.columns, first: first)
        id = try row.identifier(0)
        environment = try row.value(1)
        account = try row.text(2)
        storefront = try row.parsed(3, Storefront.init(code:))
        locale = try row.text(4)
        created = try row.instant(5)
        paymentMethod = try PaymentMethod(row)
        sandboxSpeed = try row.value(9)
        let refusal = try row.parsedOrNil(13, DeclineClass.init(rawValue:))
        bankMethod = try row.textOrNil(12).map { BankMethod(token: $0, refusal: refusal) }
        asksToBuy = try row.bool(14)
        interruptsPurchases = try row.bool(15)
        canMakePayments = try row.bool(16)
        email = try row.textOrNil(17)
        organiser = try row.identifierOrNil(18)
        sharesNewPurchases = try row.bool(19)
        hearsOfSharing = try row.bool(20)
    }

    /// An account that begins anew with the settings of another one, whose name it takes over.
    init(succeeding old: Customer, id: Int64, at now: Instant) {
        self.init(
            id: id, environment: old.environment, account: old.account,
            storefront: old.storefront, locale: old.locale, created: now,
            paymentMethod: old.paymentMethod, bankMethod: old.bankMethod,
            sandboxSpeed: old.sandboxSpeed, asksToBuy: old.asksToBuy,
            interruptsPurchases: old.interruptsPurchases, canMakePayments: old.canMakePayments)
        email = old.email
        hearsOfSharing = old.hearsOfSharing
    }

    func rename(to account: String, in session: any Session) throws {
        try session.execute("UPDATE customer SET account = \(account) WHERE id = \(id)")
    }

    func insert(in session: any Session) throws {
        let payment = paymentMethod.columns
        try session.execute(
            """
            INSERT INTO customer (id, environment, account, storefront, locale, created_at,
                declines, declines_until, declines_left, sandbox_speed, answers_later,
                answers_after, bank_method, bank_refusal, asks_to_buy, interrupts_purchases,
                can_make_payments, email, hears_of_sharing)
            VALUES (\(id), \(environment), \(account), \(storefront.code), \(locale), \(created),
                \(payment.declines), \(payment.until), \(payment.left), \(sandboxSpeed.rawValue),
                \(payment.isLater), \(payment.after), \(bankMethod?.token),
                \(bankMethod?.refusal?.rawValue), \(asksToBuy), \(interruptsPurchases),
                \(canMakePayments), \(email), \(hearsOfSharing))
            """)
    }

    func update(in session: any Session) throws {
        let payment = paymentMethod.columns
        try session.execute(
            """
            UPDATE customer SET storefront = \(storefront.code), locale = \(locale),
                declines = \(payment.declines), declines_until = \(payment.until),
                declines_left = \(payment.left), sandbox_speed = \(sandboxSpeed.rawValue),
                answers_later = \(payment.isLater), answers_after = \(payment.after),
                bank_method = \(bankMethod?.token),
                bank_refusal = \(bankMethod?.refusal?.rawValue), asks_to_buy = \(asksToBuy),
                interrupts_purchases = \(interruptsPurchases),
                can_make_payments = \(canMakePayments), email = \(email),
                hears_of_sharing = \(hearsOfSharing)
            WHERE id = \(id)
            """)
    }

    static func find(_ id: Int64, in session: any Session) throws -> Customer? {
        try session.row(
            """
            SELECT \(raw: columns) FROM customer c
            WHERE c.id = \(id)
            """
        ).map { try Customer($0) }
    }

    /// The condition that a customer may have a mail address.
    static let mayBeAddressed: SQL = "(c.email IS NOT NULL OR c.account LIKE '%@%')"

    /// Whether there are customers in an environment, and none of them can have a mail address.
    static func nobodyIsAddressed(
        in environment: StoreEnvironment, _ session: any Session
    ) throws -> Bool {
        let customers: SQL = "SELECT 1 FROM customer c WHERE c.environment = \(environment)"
        guard try session.row(customers + " LIMIT 1") != nil else { return false }
        return try session.row(customers + " AND " + mayBeAddressed + " LIMIT 1") == nil
    }

    static func find(
        account: String, _ environment: StoreEnvironment, in session: any Session
    ) throws -> Customer? {
        try session.row(
            """
            SELECT \(raw: columns) FROM customer c
            WHERE c.environment = \(environment) AND c.account = \(account)
            """
        ).map { try Customer($0) }
    }
}

extension Customer {
    /// Locks the row of the customer whom a change is about, before anything else of theirs is
    /// read; none where there is none. Of a family the organiser's row is locked besides, and all
    /// its members with it.
    ///
    /// - Returns: who was locked.
    static func lock(_ scope: Scope, in session: any Session) throws -> [Int64] {
        let whose: SQL
        switch scope {
        case .everything, .whatIsTakenUp: return []
        case .customer(let id): whose = "id = \(id)"
        case .account(let name, let environment):
            whose = "environment = \(environment) AND account = \(name)"
        case .transaction(let id):
            whose = "id = (SELECT t.customer FROM store_transaction t WHERE t.id = \(id))"
        case .subscription(let id):
            whose = "id = (SELECT s.customer FROM subscription s WHERE s.id = \(id))"
        case .bill(let id):
            whose = """
                id = COALESCE((SELECT b.customer FROM bill b WHERE b.id = \(id)),
                    (SELECT t.customer FROM store_transaction t WHERE t.id = \(id)))
                """
        case .heldPurchase(let id):
            whose = "id = (SELECT h.customer FROM held_purchase h WHERE h.id = \(id))"
        case .refundRequest(let id):
            whose = "id = (SELECT r.customer FROM refund_request r WHERE r.id = \(id))"
        }
        let lock = session.dialect.lockRow
        let found = try session.row(
            "SELECT id, organiser FROM customer WHERE " + whose + "\(raw: lock)")
        guard let found else { return [] }
        guard let organiser = try found.integerOrNil(1) else { return [try found.integer(0)] }
        try session.execute("SELECT id FROM customer WHERE id = \(organiser)\(raw: lock)")
        return try ofOrganisers([organiser], in: session)
    }

    /// The accounts of customers, by their identifiers.
    static func accounts(
        of ids: Set<Int64>, in session: any Session
    ) throws -> [Int64: String] {
        guard !ids.isEmpty else { return [:] }
        return Dictionary(
            try session.rows("SELECT id, account FROM customer WHERE id IN (\(list: ids.sorted()))")
                .map { (try $0.integer(0), try $0.text(1)) }, uniquingKeysWith: { one, _ in one })
    }

    /// The customers of an environment in the order in which they were made.
    ///
    /// - Parameter app: only those that bought something in this one; nil for all.
    static func page(
        of environment: StoreEnvironment, app: Int64?, after: Int64, limit: Int,
        in session: any Session
    ) throws -> [Customer] {
        var query: SQL = """
            SELECT \(raw: columns) FROM customer c
            WHERE c.environment = \(environment) AND c.id > \(after)
            """
        if let app {
            query += """
                 AND EXISTS (
                    SELECT 1 FROM store_transaction t
                    WHERE t.customer = c.id AND t.app = \(app))
                """
        }
        return try session.rows(query + " ORDER BY c.id LIMIT \(limit)")
            .map { try Customer($0) }
    }
}

extension Customer {
    /// The customers of an environment whose accounts begin with a text, in the order of names.
    static func page(
        of environment: StoreEnvironment, beginning text: String, limit: Int,
        in session: any Session
    ) throws -> [Customer] {
        // An index finds the range; what lies in it is compared, whatever order texts have.
        try session.rows(
            """
            SELECT \(raw: columns) FROM customer c
            WHERE c.environment = \(environment) AND c.account >= \(text)
                AND c.account < \(text + "\u{10FFFF}")
                AND substr(c.account, 1, CAST(\(text.unicodeScalars.count) AS integer)) = \(text)
            ORDER BY c.account LIMIT \(limit)
            """
        ).map { try Customer($0) }
    }
}

extension PaymentMethod {
    /// Reads the columns of a customer's row. A method that answers later declines, or not, when
    /// it does.
    fileprivate init(_ row: StoredRow) throws(StorageError) {
        let declines = try row.bool(6)
        if try row.bool(10) {
            let after = row.isNull(11) ? nil : try row.span(11)
            self = .answersLater(after: after, isPaid: !declines)
        } else if declines {
            self = .declines(until: try row.instantOrNil(7), left: try row.countOrNil(8))
        } else {
            self = .approves
        }
    }

    fileprivate var columns:
        (declines: Bool, until: Instant?, left: Int?, isLater: Bool, after: Int64?)
    {
        switch self {
        case .approves: (false, nil, nil, false, nil)
        case .declines(let until, let left): (true, until, left, false, nil)
        case .answersLater(let after, let isPaid):
            (!isPaid, nil, nil, true, after?.milliseconds)
        }
    }
}
