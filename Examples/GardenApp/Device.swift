import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import PerennialKit

/// A phone or a tablet with the app on it.
final class Device: Sendable {
    let name: String
    private let store: RunningStore
    private let server: any DevelopersServer
    private let folder: URL

    init(
        _ name: String, _ store: RunningStore, _ server: any DevelopersServer, in folder: URL
    ) {
        self.name = name
        self.store = store
        self.server = server
        self.folder = folder
    }

    private var stateFile: String { folder.appending(path: "\(name).json").path }

    /// The app is opened.
    func open() throws -> StoreSession {
        try StoreSession(
            configuration: StoreConfiguration(
                url: store.url, bundleID: store.bundleID, environment: .production,
                appAppleID: store.appAppleID, rootCertificates: [store.root], device: name,
                stateFile: stateFile, locale: "en_US"))
    }

    /// Everything on the device is gone.
    func wipe() throws {
        try FileManager.default.removeItem(atPath: stateFile)
    }

    /// What an app does with every transaction, wherever it comes from: send the proof to the
    /// server, unlock what the server says, and only then finish.
    func take(
        _ result: VerificationResult<Transaction>, in session: StoreSession
    ) async throws {
        let transaction: Transaction
        do { transaction = try result.payloadValue } catch {
            say("\(name) does not believe a transaction: \(error.reason)")
            return
        }
        let issues = try await server.unlock(transaction, of: session)
        let what =
            transaction.isRestored
            ? "restored" : transaction.reason == .renewal ? "a renewal" : "a purchase"
        say("\(name): \(what), \(issues) \(issues == 1 ? "issue" : "issues") unlocked")
        try await transaction.finish()
    }

    /// Takes so many updates, as they come.
    func take(_ count: Int, from session: StoreSession) async throws {
        var iterator = Transaction.updates(in: session).makeAsyncIterator()
        for _ in 0..<count {
            guard let update = await iterator.next() else { return }
            try await take(update, in: session)
        }
    }
}
