import DueWork
import Logging
import Outbox
import Storage
import SubscriptionRules
import TimeAndChance

extension Store {
    /// Runs a command and waits for what it causes: until the work that it made due is done, and
    /// each notification that came into being since it began was tried once. The timekeeper does
    /// both; an attempt that takes longer than the limit goes on.
    ///
    /// Work that was due before the command is others', and is not waited for: a customer's request
    /// never waits for mass work on other customers.
    ///
    /// - Parameter limit: how long it waits after the command.
    /// - Returns: what the command came to, and whether the rest was over within the limit.
    /// - Throws: what the command throws, without waiting.
    public func settling<T: Sendable>(
        within limit: Duration, _ command: () async throws -> T
    ) async throws -> (result: T, isSettled: Bool) {
        let before = try await standing()
        let result = try await command()
        let deadline = SystemTime.uptime() + limit
        // What was done stays done, whatever goes wrong from here on.
        do {
            let after = try await standing()
            var aftermath = Aftermath(
                first: before.coming, work: before.isIdle ? after.now : nil)
            while try await isUnderWay(&aftermath) {
                guard SystemTime.uptime() < deadline else { return (result, false) }
                await SystemTime.wait(.milliseconds(10))
                try Task.checkCancellation()
            }
            return (result, true)
        } catch {
            log.debug("what a command caused was not waited for", metadata: ["error": "\(error)"])
            return (result, false)
        }
    }

    /// What a command caused, as far as it is known.
    private struct Aftermath: Sendable {
        /// Numbers below this one were given before the command.
        let first: Int64
        /// What is due by this moment was made due by the command; nil where others' work was due
        /// before it.
        let work: Instant?
        /// Numbers from this one on were given later; nil as long as the work goes on.
        var end: Int64?
    }

    /// Where the world stands.
    private struct Standing: Sendable {
        let now: Instant
        /// A number that was not given out, nor any higher one.
        let coming: Int64
        /// Whether nothing is due.
        let isIdle: Bool
    }

    private func standing() async throws -> Standing {
        try await read { [self] reader in
            let next = try nextDue(reader)
            return Standing(
                now: reader.now, coming: try world(reader.session).nextNumber,
                isIdle: next.map { $0 > reader.now } ?? true)
        }
    }

    private func nextDue(_ reader: StoreReader) throws -> Instant? {
        try reader.session.nextDue(passingOver: setAside, writing: mailroom != nil)
    }

    private func isUnderWay(_ aftermath: inout Aftermath) async throws -> Bool {
        let known = aftermath
        let (end, isTold) = try await read { [self] reader -> (Int64?, Bool) in
            if known.end == nil, let work = known.work, let next = try nextDue(reader),
                next <= work
            {
                return (nil, false)
            }
            let end = try known.end ?? world(reader.session).nextNumber
            let untried = NotificationRecord.outbox.attempts(
                "attempts = 0 AND id >= \(known.first) AND id < \(end)")
            let attempt = try reader.session.earliest(in: [untried], passingOver: setAside)
            return (end, attempt.map { $0 > reader.now } ?? true)
        }
        aftermath.end = end
        return !isTold
    }
}
