import DueWork
import Logging
import Storage
import SubscriptionRules
import Synchronization
import TimeAndChance

/// Asks the bank: what is to be asked is decided in the transaction that takes an errand up, and
/// what was said is taken in another one. In between nothing is held.
struct Teller: Sendable {
    let bank: any Bank

    /// What is asked of the bank.
    enum Question: Sendable {
        /// Nobody: what was never sent is given up here.
        case nobody
        case payment(PaymentOrder)
        /// What the bank does not know is sent again, under the same key, if there is an order.
        case lookUp(bill: Int64, otherwise: PaymentOrder?)
        case void(bill: Int64)
        case refund(RefundOrder)
        case lookUpRefund(Int64, otherwise: RefundOrder?)
    }

    /// What the bank said; nil where it said nothing.
    enum Told: Sendable {
        case payment(PaymentReport?, byVoid: Bool)
        case refund(RefundReport?)
    }

    /// How many questions are asked side by side.
    static let most = 16

    /// What an errand comes to now.
    ///
    /// - Parameter isUnheard: whether the bank has said nothing yet of its bill.
    func question(_ errand: Errand, isUnheard: Bool, at machine: Instant) -> Question {
        let maySend = errand.sent.map { bank.traits.maySendAgain($0, at: machine) } ?? true
        switch errand.kind {
        case .payment:
            guard let method = errand.method else {
                preconditionFailure("errand \(errand.id) is no payment")
            }
            let order = PaymentOrder(
                bill: errand.bill, amount: errand.amount, method: method,
                isPresent: errand.isPresent)
            switch (errand.phase, errand.sent) {
            case (.asking, nil): return .payment(order)
            case (.voiding, nil): return .nobody
            case (.voiding, _?): return .void(bill: errand.bill)
            case (.asking, _?), (.settled, _):
                let isSentAgain = errand.phase == .asking && isUnheard && maySend
                return .lookUp(bill: errand.bill, otherwise: isSentAgain ? order : nil)
            }
        case .refund:
            let order = RefundOrder(id: errand.id, bill: errand.bill, amount: errand.amount)
            guard errand.sent != nil else { return .refund(order) }
            let isSentAgain = errand.refundState == nil && maySend
            return .lookUpRefund(errand.id, otherwise: isSentAgain ? order : nil)
        }
    }

    func ask(_ question: Question) async -> Told {
        switch question {
        case .nobody: return .payment(.voided, byVoid: true)
        case .payment(let order): return .payment(await bank.create(order), byVoid: false)
        case .lookUp(let bill, let order):
            let report = await bank.lookUp(bill: bill)
            guard report == .notKnown, let order else { return .payment(report, byVoid: false) }
            return .payment(await bank.create(order), byVoid: false)
        case .void(let bill):
            if let report = await bank.void(bill: bill) { return .payment(report, byVoid: true) }
            return .payment(await bank.lookUp(bill: bill), byVoid: false)
        case .refund(let order): return .refund(await bank.refund(order))
        case .lookUpRefund(let id, let order):
            let report = await bank.lookUpRefund(id)
            guard report == .notKnown, let order else { return .refund(report) }
            return .refund(await bank.refund(order))
        }
    }
}

extension Store {
    /// Runs every errand that is due by the machine's clock, and reads the bank's list of changes
    /// when it is time to.
    func runErrands() async throws {
        guard bank != nil else { return }
        try await readChanges()
        while try await runErrands("TRUE") {}
    }

    /// Waits for what the bank says of a bill, as long as a customer's request may wait. Whoever
    /// gives up waiting breaks nothing off.
    func listen(for bill: Int64) async {
        guard bankPatience > .zero else { return }
        let isHeard = Signal()
        Task {
            do {
                // What has to go before it is the same customer's.
                while try await runErrands(Errand.isOfSameCustomer(as: bill)) {}
                // Another process, or another task of this one, may have been faster.
                while !isHeard.isGiven, try await isBeingAsked(bill) {
                    await SystemTime.wait(.milliseconds(50))
                }
            } catch {
                // It stays due.
                log.error("the bank was not asked", metadata: ["error": "\(error)"])
            }
            isHeard.give()
        }
        let timer = Task {
            await SystemTime.wait(bankPatience)
            isHeard.give()
        }
        await isHeard.wait()
        timer.cancel()
    }

    /// Runs the next errands, side by side.
    ///
    /// - Parameter which: a condition on the table `e`.
    /// - Returns: whether there were any.
    private func runErrands(_ which: SQL) async throws -> Bool {
        guard let bank else { return false }
        let teller = Teller(bank: bank)
        let taken = try await takeUp(which, by: teller)
        let failure = await withTaskGroup(of: (any Error)?.self) { group in
            for (errand, question) in taken {
                group.addTask { [self] in
                    let told = await teller.ask(question)
                    do {
                        // Whoever stops meanwhile has asked all the same.
                        try await Task { [self] in try await take(told, of: errand) }.value
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            // One that fails breaks no other off.
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
        return !taken.isEmpty
    }

    /// Whether somebody is just asking about a bill for the first time.
    private func isBeingAsked(_ bill: Int64) async throws -> Bool {
        try await database.read { session in
            try Errand.isBeingAsked(about: bill, in: session)
        }
    }

    /// Takes errands up and puts them off for as long as asking takes, so that others leave them
    /// alone. Should this process end meanwhile, they come up again.
    private func takeUp(
        _ which: SQL, by teller: Teller
    ) async throws -> [(Errand, Teller.Question)] {
        let isDue = try await read { [setAside, machineNow] reader in
            try !Errand.due(
                by: machineNow, limit: 1, which: which, passingOver: setAside, in: reader.session
            ).isEmpty
        }
        guard isDue else { return [] }
        return try await write { work in
            let machine = work.machineNow
            let due = try Errand.due(
                by: machine, limit: Teller.most, which: which, passingOver: work.setAside,
                in: work.session)
            return try due.map { errand in
                var errand = errand
                let isUnheard = try work.bill(errand.bill)?.state == .sent
                let question = teller.question(errand, isUnheard: isUnheard, at: machine)
                if case .nobody = question {} else { errand.sent = errand.sent ?? machine }
                let traits = teller.bank.traits
                errand.next = machine + traits.callLimit + traits.callLimit + .minutes(1)
                work.stage(errand)
                return (errand, question)
            }
        }
    }

    private func take(_ told: Teller.Told, of errand: Errand) async throws {
        try await write { work in
            guard !work.setAside.identifiers(of: "errand").contains(errand.id) else { return }
            try Damage.of("errand", errand.id) {
                try work.catchUp(customer: errand.customer)
                switch told {
                case .payment(let report, let byVoid):
                    try work.take(report, of: errand, byVoid: byVoid)
                case .refund(let report): try work.take(report, of: errand)
                }
            }
        }
        log.debug("bank asked", metadata: ["errand": "\(errand.id)", "told": "\(told)"])
    }
}

/// Something that happens once, and for which one task waits.
private final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isGiven: Bool { state.withLock { $0.isGiven } }

    func give() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.isGiven = true
            return state.waiting
        }
        waiting?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isGiven = state.withLock { state in
                if !state.isGiven { state.waiting = continuation }
                return state.isGiven
            }
            if isGiven { continuation.resume() }
        }
    }
}
