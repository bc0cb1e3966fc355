import AppStoreSigning
import AppStoreWire
import Synchronization

/// A customer's device and app, as a store sees them: the entry to this library.
///
/// StoreKit has one such session for each process, made by the system. Here a program makes its
/// own, and may have several: a server that acts for many customers, a test with two devices. So
/// whatever is static in StoreKit takes the session as an argument: `Transaction.updates(in:)`.
///
/// ```swift
/// let session = try StoreSession(configuration: configuration)
/// try await session.signIn(account: "ada")
/// for await update in Transaction.updates(in: session) { … }
/// ```
///
/// A session begins to listen for updates when somebody iterates them, and ends with ``close()``.
public final class StoreSession: Sendable {
    /// What the session was made with.
    public let configuration: StoreConfiguration
    let keeper: Keeper
    let exchange: Exchange
    let reader: SignedReader
    let listener: Listener
    private let listening = Mutex<Task<Void, Never>?>(nil)

    /// Opens what was kept on this device, or begins with nothing.
    ///
    /// - Throws: ``StoreKitError/systemError(_:)`` where the state cannot be read, another session
    ///   has it, or a root certificate is none.
    public init(configuration: StoreConfiguration) throws(StoreKitError) {
        let verifier: JWSVerifier
        do throws(JWSVerificationError) {
            verifier = try JWSVerifier(rootDER: configuration.rootCertificates)
        } catch {
            throw .systemError("A root certificate cannot be used: \(error.reason)")
        }
        self.configuration = configuration
        keeper = try Keeper(file: StateFile(path: configuration.stateFile))
        exchange = Exchange(configuration: configuration, keeper: keeper)
        reader = SignedReader(
            verifier: SignedDataVerifier(
                verifier: verifier, bundleID: configuration.bundleID,
                environment: configuration.environment, appAppleID: configuration.appAppleID))
        listener = Listener(
            configuration: configuration, keeper: keeper, exchange: exchange, reader: reader)
    }

    deinit {
        listening.withLock { $0?.cancel() }
        keeper.close()
    }

    /// Who is signed in on this device; nil where nobody is.
    public var account: String? { keeper.account }

    /// Signs a customer in. The store knows the device by its name from then on: the same name is
    /// the same device, with the same queue.
    ///
    /// - Parameters:
    ///   - account: the customer's name; the account is made if it is new.
    ///   - storefront: where the account is at home, ISO 3166-1 alpha-3; nil leaves it where it is.
    /// - Returns: the customer's copy of the app.
    @discardableResult
    public func signIn(
        account: String, storefront: String? = nil
    ) async throws(StoreKitError) -> VerificationResult<AppTransaction> {
        var json = JSONWriter()
        json.object { json in
            json.field("bundleId", configuration.bundleID)
            json.field("account", account)
            json.field("storefront", storefront)
            json.field("device", configuration.device)
            json.field("locale", configuration.locale)
        }
        let answer = try await exchange.send(
            "POST", StorePath("/storefront/v1/sign-in"), as: nil, body: json.bytes)
        let environment = try answer.requiredText("environment", "the sign-in")
        guard environment == configuration.environment.rawValue else {
            throw .invalidResponse(
                "this is the port of \(environment), not of \(configuration.environment)")
        }
        let copy = try await appTransaction(
            answer.requiredText("appTransaction", "the sign-in"))
        // The store spells the name; a device is kept under that spelling.
        try keeper.signIn(
            answer.requiredText("account", "the sign-in"),
            token: answer.requiredText("token", "the sign-in"))
        return copy
    }

    /// Ends the sign-in. What was delivered and is not finished stays, for when the same customer
    /// signs in again.
    ///
    /// - Throws: where the store cannot be told; then the customer is signed in still.
    public func signOut() async throws(StoreKitError) {
        let token = try keeper.token()
        do throws(StoreKitError) {
            _ = try await exchange.send("DELETE", StorePath("/storefront/v1/sign-in"), as: token)
        } catch {
            guard case .notSignedIn = error else { throw error }
        }
        try keeper.void(token)
    }

    /// Ends listening and lets go of connections and of the state's file. Iterations of updates
    /// end; calls throw ``StoreKitError/closed``.
    public func close() async {
        keeper.close()
        let task = listening.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
        await task?.value
        await configuration.transport.close()
    }

    /// Begins to listen, unless it listens already.
    func listen() -> (number: Int, stream: AsyncStream<Keeper.Occurrence>) {
        let listened = keeper.listen()
        listening.withLock { task in
            guard task == nil, !keeper.isClosed else { return }
            let listener = listener
            task = Task { await listener.run() }
        }
        return listened
    }

    /// Everything that a restore brings, in the queue.
    func restore() async throws(StoreKitError) -> Int {
        // A finish that came to the store after this would take back what is restored.
        try await listener.tellFinishes()
        let token = try keeper.token()
        let answer = try await exchange.send("POST", StorePath("/storefront/v1/restore"), as: token)
        let count = try answer.requiredInteger("restored", "the answer to a restore")
        try await listener.catchUp()
        try keeper.tellRestored(token)
        return Int(count)
    }

    func appTransaction(
        _ jws: String
    ) async throws(StoreKitError) -> VerificationResult<AppTransaction> {
        let (payload, error) = try await reader.appTransaction(jws)
        let value = AppTransaction(payload: payload, jwsRepresentation: jws)
        return error.map { .unverified(value, $0) } ?? .verified(value)
    }
}
