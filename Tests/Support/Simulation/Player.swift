import AppStoreWire
import NaiveModel
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport

/// Does everything that is done in a scenario to the real store and to the naive one, and stops at
/// the first difference.
final class Player {
    /// How a scenario is played.
    enum Manner {
        /// With every failure and repetition that the scenario has.
        case stormy
        /// Without any, and with the clock moved in small pieces.
        case calm
    }

    let scenario: Scenario
    let manner: Manner
    /// Which subscriptions were to begin again, by the step that asked for it: a repeated request
    /// says the same.
    var begunAgain: [Int: Int64?] = [:]
    let database: FaultyDatabase
    let machine: ManualClock
    private(set) var store: Store
    private(set) var naive: NaiveStore
    private(set) var devices: [Account.Name: DeviceSession] = [:]
    /// The store's numbers of the families, in the order in which they were founded.
    var families: [Int64] = []
    /// How often each kind of command came to each outcome.
    private(set) var tally: [String: Int] = [:]
    /// Whether the first of a step's two commands is done: after a crash only the second is left.
    var isHalfDone = false
    private var chance: Chance
    private var comparison: Comparison

    init(_ scenario: Scenario, _ manner: Manner, in database: any Database) async throws {
        self.scenario = scenario
        self.manner = manner
        self.database = FaultyDatabase(database)
        machine = ManualClock(OpenWorld.instant(scenario.start))
        store = try await OpenWorld.open(scenario, in: database, machine: machine)
        naive = NaiveStore(now: scenario.start, shop: scenario.shop)
        chance = Chance(seed: scenario.seed ^ 0xCA1A)
        comparison = Comparison()
        store = try await reopened()
    }

    /// Plays everything.
    ///
    /// - Parameter companions: who does what is due beside it; each has a turn after each step.
    /// - Returns: the first difference.
    func play(beside companions: [Companion] = []) async throws -> Difference? {
        for (index, step) in scenario.steps.enumerated() {
            do {
                if let difference = try await play(step, index) {
                    return Difference(step: index, lines: difference)
                }
            } catch {
                return Difference(step: index, lines: ["the store fails: \(error)"])
            }
            for companion in companions { await companion.takeTurn() }
        }
        try await store.settle()
        // What peace leaves is compared with what storms left, byte by byte.
        guard manner == .stormy else { return nil }
        return try await comparison.atTheEnd(self).map {
            Difference(step: scenario.steps.count - 1, lines: $0)
        }
    }

    private func play(_ step: Step, _ index: Int) async throws -> [String]? {
        isHalfDone = false
        let expected = step.command.apply(to: &naive, isListening: scenario.isListening)
        // What a command makes due at once is done at once.
        naive.advance(to: naive.now)
        let outcome = try await carryOut(step, index, expected)
        tally["\(step.command.kind): \(outcome.rawValue)", default: 0] += 1
        guard outcome == expected else {
            return ["the store says \(outcome.rawValue), expected was \(expected.rawValue)"]
        }
        if manner == .stormy, step.isRepeated, [.done, .answered].contains(outcome) {
            let again = try await `do`(step.command, index)
            guard again == step.command.outcome(again: outcome) else {
                return ["repeated, the store says \(again.rawValue)"]
            }
        }
        if manner == .stormy, step.isLast { store = try await reopened() }
        // What is due now is done now, and late only where that is the point.
        if scenario.isLate, index % 3 != 0 { return nil }
        try await store.settle()
        guard manner == .stormy else { return nil }
        return try await comparison.afterStep(self, index)
    }

    /// Does a step, through the failure that it may hold.
    private func carryOut(
        _ step: Step, _ index: Int, _ expected: Outcome
    ) async throws -> Outcome {
        guard manner == .stormy else { return try await `do`(step.command, index) }
        if let statement = step.failsAtStatement {
            database.arm(.statement(statement))
        } else {
            // What is refused is not known by a key.
            let isKnown = expected == .done || expected == .answered
            database.arm(step.losesCommit && isKnown ? .afterCommit(1) : nil)
        }
        defer { database.arm(nil) }
        do {
            return try await `do`(step.command, index)
        } catch let error as StorageError where database.hasFailed {
            precondition(error.code == .connectionLost, "another failure than the one ordered")
            database.arm(nil)
            tally["crash", default: 0] += 1
            store = try await reopened()
            let outcome = try await `do`(step.command, index)
            // What was decided before the connection was lost is known by now.
            if case .request = step.command, expected == .done, outcome == .requestClosed {
                return .done
            }
            // What was refused before the connection was lost has used its signature up.
            if outcome == .signatureUsed, expected != .done { return expected }
            // An answer that was taken before the connection was lost is known by now.
            let wasTaken = step.losesCommit && expected == .answered
            return wasTaken && outcome == .ignored ? .answered : outcome
        }
    }

    private func reopened() async throws -> Store {
        try await OpenWorld.open(scenario, in: database, machine: machine)
    }

    private func `do`(_ command: PlayedCommand, _ index: Int) async throws -> Outcome {
        do {
            return try await play(command, index)
        } catch let error as StoreError {
            guard let outcome = Outcome(error) else { throw error }
            return outcome
        }
    }

    private func play(_ command: PlayedCommand, _ index: Int) async throws -> Outcome {
        switch command {
        case .advance(let target):
            try await advance(to: target)
        case .buy(let name, let product, let quantity, let token):
            _ = try await store.buy(
                PurchaseRequest(
                    productID: product, quantity: quantity, appAccountToken: token,
                    idempotencyKey: "key\(index)"),
                by: devices[name]!)
        case .bundle(let name, let product, let lines, let token):
            _ = try await store.buy(
                PurchaseRequest(
                    productID: product, lines: lines.map(Plan.Line.init),
                    appAccountToken: token, idempotencyKey: "key\(index)"),
                by: devices[name]!)
        case .signUp(let name, let country):
            try await signUp(name, country)
        case .crowd(let count, let country, let product):
            try await crowd(count, country, product)
        case .renewal(let name, let group, let isOn):
            return try await change(name, group, .renewal(isOn: isOn))
        case .change(let name, let group, let product):
            return try await change(name, group, .product(product))
        case .end(let name, let group):
            guard let id = try await subscription(name, group)?.id else { return .notActive }
            try await store.end(subscription: id)
        case .finish(let name, let group):
            guard let found = try await subscription(name, group) else { return .done }
            try await store.finish(
                transaction: found.newestPeriod.transactionID, by: devices[name]!)
        case .name(let name, let group, let token):
            guard let id = try await subscription(name, group)?.id else { return .notActive }
            try await store.setAppAccountToken(
                token, originalTransaction: id, bundleID: OpenWorld.bundleID,
                in: name.environment)
        case .provoke(let name, let group):
            guard let id = try await subscription(name, group)?.id else { return .notActive }
            _ = try await store.provoke(
                Provocation(.didRenew), subscription: id, in: name.environment)
        case .test(let isSandbox):
            _ = try await store.requestTestNotification(
                bundleID: OpenWorld.bundleID, in: isSandbox ? .sandbox : .production)
        case .bank, .move, .speed, .price, .sale, .terms, .level, .consent, .delete:
            try await arrange(command)
        case .reprice, .extend, .extendAll, .schedule, .withdraw, .raise, .answer:
            return try await compensate(command, index)
        case .askBack, .declineBack, .grantBack, .giveBack, .takeBack, .consume, .cancel:
            return try await refund(command)
        case .answerBill(let number, let answer):
            return try await answerBill(number.flatMap(naive.invoice), BankAnswer(answer))
        case .code, .request, .family, .commitment, .merchant:
            return try await playThematic(command, index)
        }
        return .done
    }

    private func crowd(_ count: Int, _ country: Country, _ product: String) async throws {
        for number in 1...count {
            let name = Account.Name(inCrowd: number)
            try await signUp(name, country)
            _ = try await store.purchase(
                PurchaseRequest(productID: product, idempotencyKey: "crowd"), by: devices[name]!)
        }
    }

    /// What a theme of the world is about.
    private func playThematic(_ command: PlayedCommand, _ index: Int) async throws -> Outcome {
        switch command {
        case .code(let deed): return try await play(deed, index)
        case .request(let deed): return try await play(deed)
        case .family(let deed): return try await play(deed)
        case .commitment(let deed): return try await play(deed, index)
        case .merchant(let deed): return try await play(deed, index)
        default: preconditionFailure("\(command) is of no theme")
        }
    }

    /// What the operator or the account's owner sets.
    private func arrange(_ command: PlayedCommand) async throws {
        switch command {
        case .bank(let name, let bank):
            try await store.setPaymentMethod(
                PaymentMethod(bank), account: name.text, in: name.environment)
        case .move(let name, let country):
            try await store.setStorefront(
                country.storefront, account: name.text, in: name.environment)
        case .speed(let name, let minutes):
            try await store.setSandboxSpeed(
                SandboxSpeed(rawValue: minutes)!, account: name.text)
        case .price(let product, let country, let price):
            try await store.setPrice(
                Int64(price), product: product, storefront: country.storefront,
                bundleID: OpenWorld.bundleID)
        case .sale(let product, let country, let isForSale):
            try await store.setAvailability(
                isForSale, product: product, storefront: country?.storefront,
                bundleID: OpenWorld.bundleID)
        case .delete(let product):
            try await store.deleteProduct(product, bundleID: OpenWorld.bundleID)
        case .terms(let terms):
            try await OpenWorld.configure(store, terms, isListening: scenario.isListening)
        case .level:
            try await store.importCatalogue(
                OpenWorld.catalogue(of: naive.shop), bundleID: OpenWorld.bundleID)
        case .consent(let country, let change):
            try await store.setConsentThreshold(
                ConsentThresholdChange(change, in: country.storefront))
        default:
            preconditionFailure("\(command) is no setting")
        }
    }

    private func signUp(_ name: Account.Name, _ country: Country) async throws {
        devices[name] = try await store.signIn(
            SignInRequest(
                bundleID: OpenWorld.bundleID, account: name.text, storefront: country.storefront),
            in: name.environment, token: "token of \(name.line)")
    }

    func change(
        _ name: Account.Name, _ group: String, _ change: SubscriptionChange
    ) async throws -> Outcome {
        guard let id = try await subscription(name, group)?.id else { return .notActive }
        try await store.change(subscription: id, [change], by: devices[name]!)
        return .done
    }

    /// The store's subscription of a customer in a group.
    func subscription(_ name: Account.Name, _ group: String) async throws -> Subscription? {
        func lookUp() async throws -> Subscription? {
            try await store.customer(account: name.text, in: name.environment).1
                .first { $0.groupID == group }
        }
        if let found = try await lookUp() { return found }
        // It may begin with an answer that is due.
        try await store.settle()
        return try await lookUp()
    }

    private func advance(to target: Int) async throws {
        guard !scenario.isLate else { return machine.set(OpenWorld.instant(target)) }
        if manner == .calm {
            let now = Int(try await store.now().milliseconds)
            let pieces = (0..<chance.number(0...4)).map { _ in chance.number(now...target) }
            for piece in pieces.sorted() {
                _ = try await store.advance(to: OpenWorld.instant(piece))
            }
            if chance.happens(20) { try await step(to: target) }
            if chance.happens(20) { try await runUntilRenewal(by: target) }
        }
        _ = try await store.advance(to: OpenWorld.instant(target))
    }

    /// From event to event, while the next one is not too far.
    private func step(to target: Int) async throws {
        for _ in 0..<3 {
            guard let next = try await store.clockReading().nextEvent,
                next <= OpenWorld.instant(target)
            else { return }
            _ = try await store.step()
        }
    }

    private func runUntilRenewal(by target: Int) async throws {
        guard scenario.isListening else { return }
        do {
            _ = try await store.runUntil(
                NotificationWanted(.didRenew, nil), in: .production,
                limit: .moment(OpenWorld.instant(target)))
        } catch StoreError.clock(.limitReached), StoreError.clock(.nothingAhead) {
            // Nobody renews by then.
        }
    }
}
