import Foundation
import StorageSQLite
import Store
import SubscriptionRules
import Synchronization

/// How long customers and developers' servers wait while every subscription is repriced or
/// extended, beside how long they wait in a quiet store.
struct WaitBenchmark {
    let subscribers: Int
    private let buyers = 4
    private let askers = 2
    /// Between two requests of the same one, so that the store is busy and not drowned.
    private let pause = Duration.milliseconds(5)
    private let quiet = Duration.seconds(10)

    func run() async throws -> [any Figure] {
        let chain = try Fixture.chain()
        return try await Fixture.withFolder { folder in
            progress("  \(subscribers) active subscriptions are made …")
            let database = try SQLiteDatabase(path: folder + "/store.sqlite")
            let store = try await Fixture.store(database, chain: chain)
            let first = min(subscribers, 1000)
            try await Fixture.fill(store, subscribers: first)
            try await Fixture.multiply(in: database, by: subscribers / first)
            let crowd = try await Crowd(of: store, first: first, copies: subscribers / first)
            var figures = try await measure("in a quiet store", crowd) {
                try await Task.sleep(for: quiet)
            }
            figures += try await measure("while all are repriced", crowd) {
                try await store.schedule(
                    PriceOrder(
                        productID: "club.monthly", storefront: Storefront(code: "USA")!,
                        price: 12_990, existing: .apply),
                    bundleID: Fixture.bundleID)
                _ = try await store.settle()
            }
            figures += try await measure("while all are extended", crowd) {
                try await store.massExtend(
                    MassExtensionOrder(
                        productID: "club.monthly",
                        request: try ExtensionRequest(days: 10, reasonCode: 3),
                        requestIdentifier: nil),
                    for: crowd.caller)
                _ = try await store.settle()
            }
            await database.close()
            return figures
        }
    }

    /// Lets everybody buy and ask for as long as the body takes.
    private func measure(
        _ when: String, _ crowd: Crowd, _ body: () async throws -> Void
    ) async throws -> [any Figure] {
        let purchases = Times()
        let requests = Times()
        let time = try await withThrowingTaskGroup(of: Void.self) { group in
            for buyer in 0..<buyers {
                group.addTask {
                    var turn = buyer
                    while !Task.isCancelled {
                        try await purchases.measure { try await crowd.buy(turn) }
                        turn += buyers
                        try? await Task.sleep(for: pause)
                    }
                }
            }
            for asker in 0..<askers {
                group.addTask {
                    var turn = asker
                    while !Task.isCancelled {
                        try await requests.measure { try await crowd.ask(turn) }
                        turn += askers
                        try? await Task.sleep(for: pause)
                    }
                }
            }
            let time = try await seconds(body)
            group.cancelAll()
            try await group.waitForAll()
            return time
        }
        progress("  \(when): \(Int(time.rounded())) seconds")
        return [purchases.wait("purchases \(when)"), requests.wait("status requests \(when)")]
    }
}

/// Subscribers who buy, each of whom the work under way concerns too.
private struct Crowd: Sendable {
    let caller = Caller(bundleID: Fixture.bundleID, environment: .production)
    private let store: Store
    private var devices: [DeviceSession] = []
    private var subscriptions: [Int64] = []

    init(of store: Store, first: Int, copies: Int) async throws {
        self.store = store
        for index in 0..<min(first, 1000) {
            let copy = index * 7919 % copies
            let account = "customer-\(index)" + (copy == 0 ? "" : "-\(copy)")
            devices.append(
                try await store.signIn(
                    SignInRequest(bundleID: Fixture.bundleID, account: account),
                    in: .production, token: "crowd-\(index)"))
            subscriptions += try await store.customer(account: account, in: .production).1
                .map(\.id)
        }
    }

    func buy(_ turn: Int) async throws {
        _ = try await store.buy(
            PurchaseRequest(productID: "coins"), by: devices[turn % devices.count])
    }

    func ask(_ turn: Int) async throws {
        _ = try await store.statuses(
            anyTransaction: subscriptions[turn % subscriptions.count], [], for: caller)
    }
}

/// How long each of many took.
private final class Times: Sendable {
    private let milliseconds = Mutex<[Double]>([])

    func measure(_ body: () async throws -> Void) async throws {
        let time = try await seconds(body)
        milliseconds.withLock { $0.append(time * 1000) }
    }

    func wait(_ name: String) -> Wait {
        let sorted = milliseconds.withLock { $0.sorted() }
        precondition(!sorted.isEmpty, "nobody did anything: \(name)")
        return Wait(
            name: name, count: sorted.count, median: sorted[sorted.count / 2],
            p99: sorted[sorted.count * 99 / 100], longest: sorted[sorted.count - 1])
    }
}

/// How long something takes to those who wait for it, in milliseconds.
struct Wait: Figure {
    var name: String
    var count: Int
    var median: Double
    var p99: Double
    var longest: Double

    var line: String {
        "\(name): half within \(text(median)) ms, 99 % within \(text(p99)) ms, "
            + "all \(count) within \(text(longest)) ms"
    }

    var json: String {
        "{\"name\":\"\(name)\",\"count\":\(count),\"p50Milliseconds\":\(text(median)),"
            + "\"p99Milliseconds\":\(text(p99)),\"longestMilliseconds\":\(text(longest))}"
    }

    private func text(_ milliseconds: Double) -> String {
        String(format: "%.1f", milliseconds)
    }
}
