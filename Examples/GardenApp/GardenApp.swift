import FoundationEssentials
import PerennialKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Plays session 308 on a running store: a purchase, three months in a drawer, a phone that is
/// wiped, and a second device.
///
/// ```sh
/// .build/debug/perennial serve Examples/Garden.storekit --ephemeral --clock frozen \
///     --at 2026-01-31T00:00:00Z --port 0 --sandbox-port 0 --ready-file ready.json
/// .build/debug/GardenApp ready.json
/// ```
///
/// With the URL of `Examples/python/legacy_server.py` behind it, the app sends its receipt there,
/// as apps did in 2012, in place of signed transactions to a server of its own.
@main
enum GardenApp {
    /// Who buys: a customer that has nothing yet.
    private static let account = "gardener"
    private static let product = "com.example.garden.estate.monthly"

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard (1...2).contains(arguments.count) else {
            say("usage: GardenApp READY-FILE [URL-OF-A-LEGACY-SERVER]")
            exit(2)
        }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "garden-app-\(ProcessInfo.processInfo.processIdentifier)")
        var code: Int32 = 0
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = try RunningStore(readyFile: arguments[0])
            let server = try server(arguments.dropFirst().first, of: store)
            try await play(store, server, folder)
        } catch {
            say("it went wrong: \(error)")
            code = 1
        }
        try? FileManager.default.removeItem(at: folder)
        exit(code)
    }

    /// - Parameter url: of a legacy server; nil for one that verifies signed transactions.
    private static func server(
        _ url: String?, of store: RunningStore
    ) throws -> any DevelopersServer {
        if let url { return LegacyServer(url: url, account: account) }
        return try GardenServer(
            root: store.root, bundleID: store.bundleID, appAppleID: store.appAppleID)
    }

    private static func play(
        _ store: RunningStore, _ server: any DevelopersServer, _ folder: URL
    ) async throws {
        let phone = Device("phone", store, server, in: folder)
        let tablet = Device("tablet", store, server, in: folder)
        try await buy(on: phone)
        try await drawer(phone, store)
        try await wipe(phone)
        try await second(tablet, beside: phone, store)
    }

    /// Buy, send the proof, unlock, finish.
    private static func buy(on phone: Device) async throws {
        let session = try phone.open()
        try await session.signIn(account: account)
        let products = try await Product.products(for: [product], in: session)
        guard let magazine = products.first else { throw Nothing(what: "no magazine for sale") }
        say("\(magazine.displayName) costs \(magazine.displayPrice) a month")
        switch try await magazine.purchase() {
        case .success(let result): try await phone.take(result, in: session)
        case .pending, .scheduled, .userCancelled: throw Nothing(what: "it was not bought")
        }
        await session.close()
    }

    /// The phone lies in a drawer while the store renews; the renewals come together.
    private static func drawer(_ phone: Device, _ store: RunningStore) async throws {
        try await store.advance(by: "P3M")
        say("three months go by, the phone in a drawer")
        let session = try phone.open()
        try await phone.take(3, from: session)
        try await tell(session)
        await session.close()
    }

    /// The phone is wiped: what was finished does not come by itself, but on request.
    private static func wipe(_ phone: Device) async throws {
        try phone.wipe()
        say("the phone is wiped")
        let session = try phone.open()
        try await session.signIn(account: account)
        for try await result in Transaction.unfinished(in: session) {
            try await phone.take(result, in: session)
        }
        let count = try await AppStore.sync(in: session)
        say("the store restores \(count) transactions")
        try await phone.take(count, from: session)
        await session.close()
    }

    /// A second device: from its restore on, renewals come to both.
    private static func second(
        _ tablet: Device, beside phone: Device, _ store: RunningStore
    ) async throws {
        let there = try tablet.open()
        try await there.signIn(account: account)
        say("a tablet joins")
        let count = try await AppStore.sync(in: there)
        try await tablet.take(count, from: there)
        // Whatever day it was bought on: a month after the 30th of April may end before the 31st.
        try await store.advance(by: "P31D")
        say("a month goes by")
        let here = try phone.open()
        try await phone.take(1, from: here)
        try await tablet.take(1, from: there)
        try await tell(here)
        await here.close()
        await there.close()
    }

    /// How the subscription stands.
    private static func tell(_ session: StoreSession) async throws {
        for status in try await Product.SubscriptionInfo.allStatuses(in: session) {
            let renews = try status.renewalInfo.payloadValue.willAutoRenew
            say("the subscription: \(status.state), \(renews ? "renews" : "does not renew")")
        }
    }

    private struct Nothing: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }
}

/// A line for whoever watches.
func say(_ text: String) { print(text) }
