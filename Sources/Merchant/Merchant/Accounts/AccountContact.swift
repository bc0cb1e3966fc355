import Mail
import Storage
public import SubscriptionRules

/// A device that takes pushes.
public struct PushToken: Hashable, Sendable {
    /// Which of Apple's push services knows it; a word of the app's, since no signed data says it.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        case production
        case sandbox
    }

    /// As the device shows it, in lower-case hexadecimal digits.
    public let token: String
    public let environment: Environment

    /// Nil for a text that is no token: an even number of hexadecimal digits, 64 to 400.
    public init?(_ text: String, environment: Environment) {
        let token = text.lowercased()
        guard (64...400).contains(token.utf8.count), token.utf8.count.isMultiple(of: 2),
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.token = token
        self.environment = environment
    }
}

/// How an account's customer is reached: what a campaign needs, and nothing else does.
public struct AccountContact: Hashable, Sendable {
    /// How many devices are kept of an account, the newest.
    public static let mostTokens = 20

    /// The address for mail; nil where there is none.
    public var email: String?
    /// A language tag such as `de` or `pt-BR`; nil where nobody has said.
    public var locale: String?
    public var pushTokens: [PushToken]
    /// When it was set last.
    public internal(set) var since: Instant?

    public init(email: String? = nil, locale: String? = nil, pushTokens: [PushToken] = []) {
        self.email = email
        self.locale = locale
        self.pushTokens = pushTokens
    }
}

extension Merchant {
    /// Sets how an account's customer is reached, in place of what was kept before.
    ///
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`, `invalidContact`.
    public func setContact(
        _ contact: AccountContact, of account: String, in bundleID: String
    ) async throws -> AccountContact {
        let app = try app(bundleID)
        try AccountName.check(account)
        if let email = contact.email, EmailAddress(email) == nil {
            throw MerchantError.invalidContact("email", EmailAddress.rule)
        }
        guard contact.pushTokens.count <= AccountContact.mostTokens else {
            throw MerchantError.invalidContact(
                "pushTokens", "at most \(AccountContact.mostTokens) devices")
        }
        let now = try await now()
        return try await database.write(.together) { session in
            let owner = try AccountRow.ensure(account, of: app.id, session)
            try contact.keep(of: owner, at: now, session)
            return try AccountContact.all(of: [owner], session)[owner] ?? AccountContact()
        }
    }
}

extension AccountContact {
    /// What is kept of some accounts, by account.
    static func all(
        of accounts: [Int64], _ session: any Session
    ) throws(StorageError) -> [Int64: AccountContact] {
        guard !accounts.isEmpty else { return [:] }
        var contacts: [Int64: AccountContact] = [:]
        let rows = try session.rows(
            """
            SELECT account, email, locale, set_at FROM account_contact
            WHERE account IN (\(list: accounts))
            """)
        for row in rows {
            var contact = AccountContact(email: try row.textOrNil(1), locale: try row.textOrNil(2))
            contact.since = try row.instant(3)
            let account = try row.integer(0)
            contacts[account] = contact
        }
        let tokens = try session.rows(
            """
            SELECT account, token, environment FROM account_device
            WHERE account IN (\(list: accounts)) ORDER BY account, place
            """)
        for row in tokens {
            guard let environment = PushToken.Environment(rawValue: try row.text(2)),
                let token = PushToken(try row.text(1), environment: environment)
            else { throw StorageError(.corrupt, "a push token is none") }
            let account = try row.integer(0)
            contacts[account]?.pushTokens.append(token)
        }
        return contacts
    }

    fileprivate func keep(
        of account: Int64, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO account_contact (account, email, locale, set_at)
            VALUES (\(account), \(email), \(locale), \(now))
            ON CONFLICT (account) DO UPDATE SET email = excluded.email,
                locale = excluded.locale, set_at = excluded.set_at
            """)
        try session.execute("DELETE FROM account_device WHERE account = \(account)")
        var known: Set<String> = []
        for (place, device) in pushTokens.enumerated() where known.insert(device.token).inserted {
            try session.execute(
                """
                INSERT INTO account_device (account, place, token, environment)
                VALUES (\(account), \(place), \(device.token), \(device.environment.rawValue))
                """)
        }
    }

    /// Removes what is kept of some accounts.
    static func erase(_ accounts: [Int64], _ session: any Session) throws(StorageError) {
        try session.execute("DELETE FROM account_device WHERE account IN (\(list: accounts))")
        try session.execute("DELETE FROM account_contact WHERE account IN (\(list: accounts))")
    }

    /// Gives what is kept of an account to another one, which keeps its own where it has any.
    static func move(
        from account: Int64, to other: Int64, _ session: any Session
    ) throws(StorageError) {
        let known = try all(of: [account, other], session)
        if known[other] == nil, known[account] != nil {
            try session.execute(
                "UPDATE account_contact SET account = \(other) WHERE account = \(account)")
            try session.execute(
                "UPDATE account_device SET account = \(other) WHERE account = \(account)")
        }
        try erase([account], session)
    }

    /// The tables. A device belongs to a contact, and goes with it.
    static func tables(_ dialect: Dialect) -> [String] {
        [
            """
            CREATE TABLE account_contact (
                account \(dialect.integer) NOT NULL PRIMARY KEY REFERENCES account (id),
                email TEXT,
                locale TEXT,
                set_at \(dialect.integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            """
            CREATE TABLE account_device (
                account \(dialect.integer) NOT NULL REFERENCES account (id),
                place \(dialect.integer) NOT NULL,
                token TEXT NOT NULL,
                environment TEXT NOT NULL,
                PRIMARY KEY (account, token)
            )\(dialect.tableOptions)
            """,
        ]
    }
}
