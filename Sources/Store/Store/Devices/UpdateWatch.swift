import Storage
import Synchronization

/// Who waits for something to change, by customers, and how far each has seen.
///
/// Whoever waits holds no connection and asks nobody: one look of the process at the database is
/// for all of them (`Store.wakeWaiting`).
final class UpdateWatch: Sendable {
    /// How many may wait at once on one device: an app has one stream, and a new one before the
    /// old one is known to be gone.
    static let mostOnDevice = 4

    /// A place among those who wait.
    struct Ticket: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct Waiter {
        let customer: Int64
        let device: DeviceSession
        /// The customer's newest change that was seen; nil while it is still being read.
        var seen: Int64?
        /// Whether something changed since the ticket was drawn, or the waiting was broken off.
        var isWoken = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var next = 0
        var waiters: [Int: Waiter] = [:]
        /// What the world looked like when it was looked at last.
        var lastLook: String?
    }

    private let state = Mutex(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// How many of them sleep, and are not only about to.
    var sleepers: Int {
        state.withLock { state in state.waiters.values.count { $0.sleeper != nil } }
    }

    /// Draws a ticket. What changes from now on wakes whoever has it.
    ///
    /// - Parameter most: how many may wait in the environment.
    /// - Throws: `StoreError.request(.tooManyWaiting)` for the device; `StorageError` with `busy`
    ///   where too many others wait.
    func enter(_ device: DeviceSession, most: Int) throws -> Ticket {
        try state.withLock { state in
            let others = state.waiters.values
            guard others.count(where: { $0.device == device }) < Self.mostOnDevice else {
                throw StoreError.request(.tooManyWaiting)
            }
            guard others.count(where: { $0.device.environment == device.environment }) < most
            else { throw StorageError(.busy, "\(most) devices wait for changes already") }
            state.next += 1
            state.waiters[state.next] = Waiter(customer: device.customer, device: device)
            return Ticket(number: state.next)
        }
    }

    func leave(_ ticket: Ticket) {
        state.withLock { _ = $0.waiters.removeValue(forKey: ticket.number) }
    }

    /// Sleeps until something changed that was not seen, or the task is cancelled.
    ///
    /// - Parameter seen: the customer's newest change that was seen.
    func sleep(_ ticket: Ticket, seen: Int64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let isAwake = state.withLock { state in
                    guard var waiter = state.waiters[ticket.number] else { return true }
                    let isWoken = waiter.isWoken
                    (waiter.seen, waiter.isWoken) = (seen, false)
                    if !isWoken { waiter.sleeper = sleeper }
                    state.waiters[ticket.number] = waiter
                    return isWoken
                }
                if isAwake { sleeper.resume() }
            }
        } onCancel: {
            wake { $0 == ticket.number }
        }
    }

    /// The customers for whom somebody waits; nil where the world looks as it did last time, or
    /// nobody waits.
    func customers(ifNotAs look: String) -> Set<Int64>? {
        state.withLock { state in
            guard state.lastLook != look, !state.waiters.isEmpty else { return nil }
            return Set(state.waiters.values.map(\.customer))
        }
    }

    /// Wakes those who have not seen what changed last.
    ///
    /// - Parameters:
    ///   - newest: the newest change of each customer.
    ///   - look: what the world looked like before that was read.
    func wake(_ newest: [Int64: Int64], as look: String) {
        let late = state.withLock { state in
            state.lastLook = look
            return Set(
                state.waiters.filter { _, waiter in
                    guard let newest = newest[waiter.customer] else { return true }
                    return newest > waiter.seen ?? -1
                }.keys)
        }
        wake { late.contains($0) }
    }

    private func wake(_ isMeant: (Int) -> Bool) {
        let sleepers = state.withLock { state in
            state.waiters.keys.filter(isMeant).compactMap { number in
                guard let sleeper = state.waiters[number]?.sleeper else {
                    state.waiters[number]?.isWoken = true
                    return nil as CheckedContinuation<Void, Never>?
                }
                state.waiters[number]?.sleeper = nil
                return sleeper
            }
        }
        for sleeper in sleepers { sleeper.resume() }
    }
}
