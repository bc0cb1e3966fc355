import Crypto
import Journal
import Storage
public import SubscriptionRules
import TimeAndChance

/// A device on which a customer is signed in, for one app.
public struct DeviceSession: Sendable, Hashable {
    public let environment: StoreEnvironment
    /// The number of the customer's account.
    public let customer: Int64
    let app: Int64
    /// The name that the device gave itself.
    public let device: String
    /// Its number; nil for the operator who acts in the customer's place, which is no device.
    let id: Int64?
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
    /// account there. The device is known from then on: the same name is the same device with the
    /// same queue, which begins with what no device has finished.
    ///
    /// - Parameter token: the secret that the device will show from now on; only a digest is kept.
    /// - Throws: `StoreError.unknown(.app)`; `.setting(.invalid)` for a name that is none, and for
    ///   a new one with characters that nobody sees.
    @discardableResult
    public func signIn(
        _ request: SignInRequest, in environment: StoreEnvironment, token: String
    ) async throws -> DeviceSession {
        guard Customer.isAccount(request.account) else {
            throw StoreError.setting(
                .invalid(
                    "account", reason: "it must be \(Customer.accountRule)"))
        }
        return try await write(about: .account(request.account, environment)) { work in
            let app = try work.apps.find(bundleID: request.bundleID)
            let customer = try work.customer(request, of: app, in: environment)
            try work.acquire(app, for: customer.id)
            let device = try work.device(
                request.device, of: .init(customer: customer.id, app: app.id))
            try device.signIn(digest: Store.digest(token), at: work.now, in: work.session)
            return DeviceSession(
                environment: environment, customer: customer.id, app: app.id,
                device: request.device, id: device.id)
        }
    }

    /// Signs out: the token is good no more. The device and its queue stay, and so do other tokens
    /// of it.
    ///
    /// - Throws: `StoreError.request(.signedOut)` where it was good no more already.
    public func signOut(token: String, from device: DeviceSession) async throws {
        try await write(about: .customer(device.customer)) { work in
            let record = try work.record(of: device)
            guard try record.signOut(digest: Store.digest(token), in: work.session) else {
                throw StoreError.request(.signedOut)
            }
            work.record(.signedOut, on: record)
        }
    }

    /// The device that shows a token.
    ///
    /// - Throws: `StoreError.request(.signedOut)` when no device has it in this environment.
    public func device(token: String, in environment: StoreEnvironment) async throws
        -> DeviceSession
    {
        try await database.read { session in
            let device = try DeviceSession.find(
                digest: Store.digest(token), in: environment, session)
            guard let device else { throw StoreError.request(.signedOut) }
            return device
        }
    }

    /// A device of a customer as if it were signed in, for the operator who acts in the customer's
    /// place.
    ///
    /// - Throws: `StoreError.unknown`: `.app`, `.account`.
    public func device(
        of account: String, bundleID: String, in environment: StoreEnvironment
    ) async throws -> DeviceSession {
        try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            guard
                let customer = try Customer.find(
                    account: account, environment, in: reader.session)
            else { throw StoreError.unknown(.account, account) }
            return DeviceSession(
                environment: environment, customer: customer.id, app: app.id, device: "console",
                id: nil)
        }
    }

    private static func digest(_ token: String) -> String {
        SHA256.hash(data: Array(token.utf8)).hexadecimal
    }
}

extension UnitOfWork {
    /// The account that signs in, made or moved as the request says.
    fileprivate func customer(
        _ request: SignInRequest, of app: App, in environment: StoreEnvironment
    ) throws -> Customer {
        guard
            var customer = try Customer.find(
                account: request.account, environment, in: session)
        else {
            try Customer.checkNew(request.account)
            let customer = Customer(
                id: nextNumber(), environment: environment, account: request.account,
                storefront: request.storefront ?? app.settings.storefront,
                locale: request.locale ?? app.settings.locale, created: now,
                paymentMethod: .approves,
                sandboxSpeed: .fiveMinutes)
            try customer.insert(in: session)
            lock(customer.id)
            record(.signedUp) { $0.customer = customer.id }
            return customer
        }
        customer.storefront = request.storefront ?? customer.storefront
        customer.locale = request.locale ?? customer.locale
        try customer.update(in: session)
        return customer
    }

    /// Gives the customer a copy of the app, if there is none yet.
    func acquire(_ app: App, for customer: Int64) throws {
        let owned = try AppCopy.find(customer: customer, app: app.id, in: session)
        guard owned == nil else { return }
        try AppCopy(transactionID: 700_000_000_000_000_000 + nextNumber(), acquired: now)
            .insert(customer: customer, app: app.id, in: session)
    }
}
