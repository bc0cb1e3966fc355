import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("On demand: faults of calls, and rules that cannot be")
struct CallFaultTests {
    @Test("Without a rule every call goes its way", arguments: Backend.available)
    func noRule(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        let verdict = try await world.judge("getTransactionInfo")
        #expect(verdict.refusal == nil)
        #expect(verdict.wait == .seconds(0))
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "A rule takes calls of its endpoint, app and environment, as often as it may",
        arguments: Backend.available)
    func filters(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.fail(.generalInternalRetryable), operation: "getRefundHistory")
        let rule = FaultRule(
            .calls(.fail(.accountNotFound), operation: "getTransactionInfo"),
            bundleID: World.bundleID, most: 2)
        _ = try await world.store.addFault(rule, in: .production)
        #expect(try await world.judge("finishTransaction").refusal == nil)
        #expect(try await world.judge("getTransactionInfo", in: .sandbox).refusal == nil)
        let stranger = try await world.store.judgeCall(
            to: "getTransactionInfo", by: Caller(bundleID: "com.other", environment: .production))
        #expect(stranger.refusal == nil)
        for _ in 0..<2 {
            #expect(
                try await world.judge("getTransactionInfo").refusal == .error(.accountNotFound))
        }
        #expect(try await world.judge("getTransactionInfo").refusal == nil)
        let statuses = try await world.store.faults(in: .production)
        #expect(statuses.map(\.applied) == [0, 2])
        #expect(statuses.map(\.isSpent) == [false, true])
    }

    @Test(
        "Waits add up to half a minute at most, and the first refusal is the answer",
        arguments: Backend.available)
    func together(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.slow(.seconds(20)))
        try await world.add(.limit(pause: .minutes(1)), most: 1)
        try await world.add(.slow(.seconds(20)))
        try await world.add(.fail(.generalInternal))
        let first = try await world.judge("getTransactionInfo")
        #expect(first.wait == .seconds(20))
        #expect(first.refusal == .limit(pause: .minutes(1)))
        let second = try await world.judge("getTransactionInfo")
        #expect(second.wait == .seconds(30))
        #expect(second.refusal == .error(.generalInternal))
    }

    @Test("The seed decides which calls fail", arguments: Backend.available)
    func seeds(_ backend: Backend) async throws {
        func failures(_ seed: String) async throws -> [Bool] {
            let world = try await World(backend)
            try await world.add(.fail(.generalInternal), percent: 50, seed: seed)
            var failures: [Bool] = []
            for _ in 0..<20 { failures.append(try await world.judge("x").refusal != nil) }
            return failures
        }
        let first = try await failures("a")
        #expect(first.contains(true) && first.contains(false))
        #expect(try await failures("a") == first)
        #expect(try await failures("b") != first)
    }

    @Test("Rules about calls outlive the process", arguments: Backend.available)
    func restart(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        let world = try await World(database: database)
        let added = try await world.add(.fail(.generalInternal))
        let again = try await World(database: database)
        #expect(try await again.judge("x").refusal == .error(.generalInternal))
        try await again.store.removeFault(added.id, in: .production)
        #expect(try await again.judge("x").refusal == nil)
    }

    @Test("Every kind is kept as it was given", arguments: Backend.available)
    func roundTrip(_ backend: Backend) async throws {
        let world = try await World(backend)
        let rules = [
            FaultRule(
                .notifications(.drop, type: .expired, subtype: .voluntary), percent: 7,
                seed: "s", most: 3),
            FaultRule(.notifications(.lose, type: .expired, subtype: nil), seed: "s"),
            FaultRule(.notifications(.repeats(times: 9), type: nil, subtype: nil), seed: "s"),
            FaultRule(.notifications(.delay(.days(2)), type: nil, subtype: nil), seed: "s"),
            FaultRule(
                .notifications(.reorder(within: .hours(1)), type: nil, subtype: nil), seed: "s"),
            FaultRule(
                .calls(.fail(.appNotFound), operation: "x"), bundleID: World.bundleID, seed: "s"),
            FaultRule(.calls(.limit(pause: nil), operation: nil), seed: "s"),
            FaultRule(.calls(.limit(pause: .hours(1)), operation: nil), seed: "s"),
            FaultRule(.calls(.slow(.seconds(2)), operation: nil), seed: "s"),
        ]
        for rule in rules {
            #expect(try await world.store.addFault(rule, in: .sandbox).rule == rule)
        }
        let kept = try await world.store.faults(in: .sandbox)
        #expect(kept.map(\.rule) == rules)
        #expect(Set(rules.map(\.kind)) == Set(FaultKind.allCases))
        #expect(kept.allSatisfy { $0.created == World.instant("2026-01-01") })
    }

    @Test("A rule that cannot be changes nothing", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        let drop = FaultRule.Effect.notifications(.drop, type: nil, subtype: nil)
        func delay(_ span: Span) -> FaultRule.Effect {
            .notifications(.delay(span), type: nil, subtype: nil)
        }
        func calls(_ fault: CallFault) -> FaultRule.Effect { .calls(fault, operation: nil) }
        let unknown = APIError(code: 4_189_999, name: "Teapot", message: "I am one.")
        for (rule, field) in [
            (FaultRule(drop, percent: 0), "percent"), (FaultRule(drop, percent: 101), "percent"),
            (FaultRule(drop, most: 0), "count"),
            (FaultRule(.notifications(.drop, type: .test, subtype: .pending)), "subtype"),
            (FaultRule(.notifications(.repeats(times: 0), type: nil, subtype: nil)), "times"),
            (FaultRule(.notifications(.repeats(times: 101), type: nil, subtype: nil)), "times"),
            (FaultRule(delay(.seconds(0))), "by"), (FaultRule(delay(.days(31))), "by"),
            (FaultRule(calls(.slow(.seconds(31)))), "by"),
            (FaultRule(calls(.limit(pause: .seconds(-1)))), "by"),
            (FaultRule(calls(.fail(unknown))), "errorCode"),
            (FaultRule(calls(.fail(.rateLimitExceeded))), "errorCode"),
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await world.store.addFault(rule, in: .production)
            }
            guard case .setting(.invalid(field, _))? = error else {
                Issue.record("\(field): \(String(describing: error))")
                continue
            }
        }
        await #expect(throws: StoreError.unknown(.app, "com.other")) {
            try await world.store.addFault(FaultRule(drop, bundleID: "com.other"), in: .sandbox)
        }
        #expect(try await Tables(world.database) == before)
    }
}

extension World {
    /// Adds a rule about calls in Production.
    @discardableResult
    fileprivate func add(
        _ fault: CallFault, operation: String? = nil, percent: Int = 100, seed: String? = nil,
        most: Int? = nil
    ) async throws -> FaultStatus {
        try await store.addFault(
            FaultRule(
                .calls(fault, operation: operation), percent: percent, seed: seed, most: most),
            in: .production)
    }

    /// What the rules make of a call of the sample app's server.
    fileprivate func judge(
        _ operation: String, in environment: StoreEnvironment = .production
    ) async throws -> CallVerdict {
        try await store.judgeCall(to: operation, by: caller(environment))
    }
}
