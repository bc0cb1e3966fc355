import ArgumentParser
import Foundation
import Storage
import StoragePostgres
import Store
import SubscriptionRules
import Synchronization
import TimeAndChance

/// What one of several processes does. It says that it is ready, begins when it is told to, ends
/// when it is told to, and says how much it has done.
struct ProcessWorker {
    enum Work: String, ExpressibleByArgument {
        /// Customers buy again and again.
        case purchases
        /// The same rows are written plainly, as the limit.
        case plainWrites
        /// What is due is done.
        case settling
    }

    let task: Work
    let number: Int
    let buyers: Int

    func run(on url: String) async throws {
        let database = try PostgresDatabase(url: url)
        let store = try await Fixture.store(database, chain: Fixture.chain())
        var devices: [DeviceSession] = []
        for buyer in 0..<buyers {
            devices.append(
                try await store.signIn(
                    SignInRequest(bundleID: Fixture.bundleID, account: "buyer-\(number)-\(buyer)"),
                    in: .production, token: Randomness.token("buyer_")))
        }
        say("ready")
        _ = readLine()
        let account = Account()
        Thread.detachNewThread {
            _ = readLine()
            account.isOver.store(true, ordering: .relaxed)
        }
        try await withThrowingTaskGroup { group in
            for device in devices {
                group.addTask { [task] in
                    while !account.isOver.load(ordering: .relaxed) {
                        switch task {
                        case .purchases:
                            _ = try await store.buy(PurchaseRequest(productID: "coins"), by: device)
                        case .plainWrites: try await ProcessWorker.write(to: database)
                        case .settling: try await store.settle()
                        }
                        account.done.add(1, ordering: .relaxed)
                    }
                }
            }
            try await group.waitForAll()
        }
        say("\(account.done.load(ordering: .relaxed))")
        await database.close()
    }

    private final class Account: Sendable {
        let isOver = Atomic(false)
        let done = Atomic(0)
    }

    /// As many statements and bytes as a purchase writes, and nothing that is thought about.
    private static func write(to database: any Database) async throws {
        try await database.write(.together) { session in
            for table in ["bench_transaction", "bench_journal", "bench_ledger"] {
                try session.execute(
                    """
                    INSERT INTO \(raw: table) (id, body)
                    VALUES (nextval('bench_number'), \(String(repeating: "x", count: 250)))
                    """)
            }
        }
    }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
