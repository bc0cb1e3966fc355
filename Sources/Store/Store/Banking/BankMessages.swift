import Logging
import Storage
public import SubscriptionRules
import Synchronization

extension Store {
    /// Takes a message of the bank, as it came: whatever it is about is looked up, by whoever runs
    /// errands next. What it says of a payment counts for nothing.
    ///
    /// - Parameters:
    ///   - body: the bytes as they came.
    ///   - headers: the names and values as they came.
    /// - Returns: how many payments and refunds of this store it is about.
    /// - Throws: `BankMessageRefused` for what the bank did not send, or where there is none.
    @discardableResult
    public func receive(
        _ body: [UInt8], headers: [(name: String, value: String)]
    ) async throws -> Int {
        guard let bank else { throw BankMessageRefused() }
        return try await lookUp(try await bank.receive(body, headers: headers), upTo: nil)
    }

    /// Reads on in the bank's list of changes, once an hour: messages may be lost.
    func readChanges() async throws {
        guard let bank else { return }
        let machine = machineNow
        let isTime = changesRead.withLock { read in
            if let last = read, machine < last + .hours(1) { return false }
            read = machine
            return true
        }
        guard isTime else { return }
        var place = try await database.read { session in
            try BankCursor.find(in: session)
        }
        while let changes = await bank.changes(since: place), changes.cursor != place {
            place = changes.cursor
            try await lookUp(changes.references, upTo: changes.cursor)
        }
    }

    /// Has things looked up, also those that were settled.
    ///
    /// - Parameter cursor: up to where the bank's list was read, to be kept with it.
    @discardableResult
    private func lookUp(_ references: [BankReference], upTo cursor: String?) async throws -> Int {
        let known = try await write { work in
            var known = 0
            for reference in references {
                guard var errand = try work.errand(reference.id) else { continue }
                errand.lookUp(at: work.machineNow)
                work.stage(errand)
                known += 1
            }
            if let cursor { try BankCursor.save(cursor, in: work.session) }
            return known
        }
        if known < references.count {
            log.warning(
                "the bank names payments that are not this store's",
                metadata: ["count": "\(references.count - known)"])
        }
        return known
    }
}

/// What somebody should look into: something about a payment or a refund that no rule settles.
public struct BankTrouble: Sendable, Hashable {
    /// The bill that was to be paid, or whose money was to go back.
    public let bill: Int64
    /// The refund, where it is about one.
    public let refund: Int64?
    public let amount: Money
    /// What is wrong, in a sentence without its full stop.
    public let what: String
}

extension Store {
    /// What somebody should look into, newest first.
    public func bankTroubles(
        in environment: StoreEnvironment, limit: Int
    ) async throws -> [BankTrouble] {
        try await read { reader in
            try Errand.troubled(in: environment, limit: limit, in: reader.session).compactMap {
                errand in
                errand.trouble.map { what in
                    BankTrouble(
                        bill: errand.bill, refund: errand.kind == .refund ? errand.id : nil,
                        amount: errand.amount, what: what)
                }
            }
        }
    }
}
