import Crypto
import Storage
public import SubscriptionRules

/// A device on which a customer is signed in, for one app.
public struct Visitor: Sendable, Hashable {
    public let environment: StoreEnvironment
    let customer: Int64
    let app: Int64
    /// The name that the device gave itself.
    public let device: String
}

/// What a device says when it signs in.
public struct SignInRequest: Sendable {
    public var bundleID: String
    public var account: String
    public var storefront: Storefront?
    public var device: String
    public var locale: String?

    public init(
        bundleID: String, account: String, storefront: Storefront? = nil, device: String = "device",
        locale: String? = nil
    ) {
        self.bundleID = bundleID
        self.account = account
        self.storefront = storefront
        self.device = device
        self.locale = locale
    }
}

extension Store {
    /// Signs a customer in on a device; the account is made if it is new, and is at home in the
    /// app's storefront unless it names one. A storefront or locale that is given again moves the
    /// account there.
    ///
    /// - Parameter token: the secret that the device will show from now on; only a digest is kept.
    /// - Throws: `StoreError.unknown(.app)`; `.setting(.invalid)` for a name that is none.
    @discardableResult
    public func signIn(
        _ request: SignInRequest, in environment: StoreEnvironment, token: String
    ) async throws -> Visitor {
        guard Customer.isAccount(request.account) else {
            throw StoreError.setting(
                .invalid(
                    "account", reason: "it must be \(Customer.accountRule)"))
        }
        return try await write { work in
            let app = try work.apps.find(bundleID: request.bundleID)
            let customer = try work.customer(request, of: app, in: environment)
            try work.acquire(app, for: customer)
            try work.session.execute(
                """
                INSERT INTO sign_in (token_digest, customer, app, device, created_at)
                VALUES (\(Store.digest(token)), \(customer.id), \(app.id), \(request.device),
                    \(work.now))
                """)
            return Visitor(
                environment: environment, customer: customer.id, app: app.id,
                device: request.device)
        }
    }

    /// The device that shows a token.
    ///
    /// - Throws: `StoreError.request(.signedOut)` when no device has it in this environment.
    public func visitor(token: String, in environment: StoreEnvironment) async throws -> Visitor {
        try await database.read { session in
            let row = try session.row(
                """
                SELECT i.customer, i.app, i.device FROM sign_in i
                JOIN customer c ON c.id = i.customer
                WHERE i.token_digest = \(Store.digest(token)) AND c.environment = \(environment)
                """)
            guard let row else { throw StoreError.request(.signedOut) }
            return Visitor(
                environment: environment, customer: try row.integer(0), app: try row.integer(1),
                device: try row.text(2))
        }
    }

    private static func digest(_ token: String) -> String {
        SHA256.hash(data: Array(token.utf8)).hexadecimal
    }
}

extension Work {
    /// The account that signs in, made or moved as the request says.
    fileprivate func customer(
        _ request: SignInRequest, of app: App, in environment: StoreEnvironment
    ) throws -> Customer {
        guard
            var customer = try Customer.find(
                account: request.account, environment, in: session)
        else {
            let customer = Customer(
                id: nextNumber(), environment: environment, account: request.account,
                storefront: request.storefront ?? app.settings.storefront,
                locale: request.locale ?? "en_US", created: now, paymentMethod: .approves,
                sandboxSpeed: .fiveMinutes)
            try customer.insert(in: session)
            record("signedUp") { $0.customer = customer.id }
            return customer
        }
        customer.storefront = request.storefront ?? customer.storefront
        customer.locale = request.locale ?? customer.locale
        try customer.update(in: session)
        return customer
    }

    /// Gives the customer a copy of the app, if there is none yet.
    fileprivate func acquire(_ app: App, for customer: Customer) throws {
        let owned = try session.exists(
            "SELECT 1 FROM customer_app WHERE customer = \(customer.id) AND app = \(app.id)")
        guard !owned else { return }
        try session.execute(
            """
            INSERT INTO customer_app (customer, app, app_transaction_id, acquired_at)
            VALUES (\(customer.id), \(app.id), \(700_000_000_000_000_000 + nextNumber()), \(now))
            """)
    }
}
