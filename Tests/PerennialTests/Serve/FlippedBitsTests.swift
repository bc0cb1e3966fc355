import AppStoreWire
import Foundation
import Logging
import Store
import StoreKitFile
import SubscriptionRules
import Testing
import TimeAndChance

@testable import perennial

@Suite("Flipped bits")
struct FlippedBitsTests {
    @Test(
        "Fifty damaged databases are opened, used and checked, and nothing ends the process",
        .timeLimit(.minutes(15)))
    func fifty() async throws {
        try await withDirectory { parent in
            let home = "\(parent)/data"
            try await live(in: home)
            let file = URL(filePath: "\(home)/store.sqlite")
            let whole = try Data(contentsOf: file)
            #expect(try await StoreCheck(data: home, databaseURL: nil).report().findings == [])
            var found = 0
            for seed in 1...50 as ClosedRange<UInt64> {
                try damaged(whole, seed: seed).write(to: file)
                removeSideFiles(home)
                await use(home)
                removeSideFiles(home)
                // Also where the use has refused it.
                try damaged(whole, seed: seed).write(to: file)
                if try await hasFindings(home) { found += 1 }
            }
            // The others hit free pages, or text that may be anything.
            #expect(found > 15)
        }
    }

    @Test("The program checks a sound store and a damaged one, and says which is which")
    func program() async throws {
        try await withDirectory { parent in
            let home = "\(parent)/data"
            try await live(in: home)
            let sound = try await Program().start(["world", "check", "--data", home]).finish()
            #expect(sound.code == 0, "\(sound.complaint)")
            #expect(sound.output.contains("nothing is wrong"))
            let file = URL(filePath: "\(home)/store.sqlite")
            let whole = try Data(contentsOf: file)
            for seed in [11, 22, 33] as [UInt64] {
                try damaged(whole, seed: seed, flips: 400).write(to: file)
                removeSideFiles(home)
                let outcome = try await Program().start([
                    "world", "check", "--data", home, "--json",
                ]).finish()
                #expect(outcome.code == 1, "\(outcome.output) \(outcome.complaint)")
            }
            try whole.write(to: file)
            removeSideFiles(home)
            try FileManager.default.removeItem(atPath: "\(home)/certificates/leaf-key.pem")
            let lost = try await Program().start(["world", "check", "--data", home, "--json"])
                .finish()
            #expect(lost.code == 1)
            #expect(lost.json?["findings"]?.array?.count == 1)
            #expect(lost.output.contains("leaf-key.pem"))
        }
    }

    @Test("There is nothing to check where there is no store")
    func nothing() async throws {
        try await withDirectory { parent in
            let outcome = try await Program().run("world", "check", "--data", "\(parent)/none")
            #expect(outcome.code == 1)
            #expect(outcome.complaint.contains("--data"))
            #expect(!FileManager.default.fileExists(atPath: "\(parent)/none"))
        }
    }

    // MARK: Parts

    /// Some customers and half a year.
    private func live(in home: String) async throws {
        try await withStore(home) { store, bundleID in
            for number in 1...12 {
                let device = try await store.signIn(
                    SignInRequest(bundleID: bundleID, account: "customer\(number)"),
                    in: number.isMultiple(of: 3) ? .sandbox : .production,
                    token: Randomness.token("test_"))
                _ = try await store.buy(
                    PurchaseRequest(productID: "plus.monthly"), by: device)
            }
            _ = try await store.advance(to: Instant(iso8601: "2026-06-15")!)
        }
    }

    /// Does a little of everything; whatever is refused or fails is as good as what succeeds.
    private func use(_ home: String) async {
        _ = try? await withStore(home) { store, bundleID in
            _ = try? await store.settle()
            _ = try? await store.advance(to: Instant(iso8601: "2026-08-01")!)
            for environment in StoreEnvironment.allCases {
                let customers = try? await store.customers(in: environment, after: 0, limit: 100)
                for customer in customers ?? [] {
                    let found = try? await store.customer(
                        account: customer.account, in: environment)
                    for subscription in found?.1 ?? [] {
                        let caller = Caller(bundleID: bundleID, environment: environment)
                        _ = try? await store.timeline(
                            subscription: subscription.id, after: 0, limit: 100)
                        _ = try? await store.statuses(
                            anyTransaction: subscription.id, [], for: caller)
                        _ = try? await store.history(
                            anyTransaction: subscription.id, HistoryFilter(), revision: nil,
                            for: caller)
                    }
                }
                _ = try? await store.ledger(after: 0, limit: 100, in: environment)
            }
            _ = try? await store.clockReading()
        }
    }

    private func hasFindings(_ home: String) async throws -> Bool {
        do {
            return try await !StoreCheck(data: home, databaseURL: nil).report().findings.isEmpty
        } catch let failure as Failure {
            #expect(!failure.message.isEmpty)
            return true
        }
    }

    private func withStore(
        _ home: String, _ body: (Store, String) async throws -> Void
    ) async throws {
        var plan = ServePlan()
        plan.home = .directory(home)
        plan.clockMode = .frozen
        plan.moment = Instant(iso8601: "2026-01-31")!
        plan.logLevel = .critical
        var log = Logger(label: "test")
        log.logLevel = .critical
        let directory = try await freeDirectory(home)
        let identity = try Identity(in: directory, sharing: plan.sharedCertificates)
        let opening = try await Opening.open(
            plan, in: directory, identity: identity, catalogue: try sampleStoreKitFile(), log: log)
        do {
            try await body(opening.store, opening.app.bundleID)
        } catch {
            await opening.close()
            throw error
        }
        await opening.close()
    }

    /// A file with some bits flipped, the same for the same seed.
    private func damaged(_ whole: Data, seed: UInt64, flips: Int? = nil) -> Data {
        var (damaged, state) = (whole, seed &* 0x9E37_79B9_7F4A_7C15)
        func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<(flips ?? 1 + Int(seed % 12)) {
            damaged[next(below: damaged.count)] ^= 1 << UInt8(next(below: 8))
        }
        return damaged
    }

    private func removeSideFiles(_ home: String) {
        for end in ["wal", "shm"] {
            try? FileManager.default.removeItem(atPath: "\(home)/store.sqlite-\(end)")
        }
    }
}
