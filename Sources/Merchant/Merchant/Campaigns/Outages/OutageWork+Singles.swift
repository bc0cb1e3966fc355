import AppStoreWire
import MerchantRules
import ServerAPIClient
import Storage
import SubscriptionRules

// Calls for one subscription: all of a campaign that chooses its accounts, and retries.
extension OutageWork {
    /// How many calls are written down before they are made.
    private static let callsWritten = 40
    /// How long nothing is asked of a store that takes no call at all.
    private static let pause = Span.minutes(5)

    /// What came of a call.
    private enum Answer: Sendable {
        case event(OutageCampaignState.Event)
        /// It says nothing of the subscription: the key is not good, or there is no store.
        case closed(String)
    }

    /// Makes the calls that are due: those first that were on their way when a process died.
    func callSingly() async throws -> Bool {
        guard row.state != .stopped else { return false }
        let now = try await merchant.now()
        let due = try await prepare(at: now)
        let calling = due.filter(\.isCalling)
        _ = try await Parallel.map(calling, width: Merchant.callsAtOnce) { one in
            await pace.take()
            try await call(one)
        }
        return !due.isEmpty
    }

    private func prepare(at now: Instant) async throws -> [OutageExtension] {
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            let isClosed = try OutageExtension.exists(
                in: row.id, where: "is_calling = 1 AND next_attempt > \(now)", session)
            if isClosed { return [] }
            let open = try OutageExtension.some(
                of: row.id, where: "is_calling = 1 ORDER BY purchase LIMIT \(Self.callsWritten)",
                session)
            guard open.isEmpty else { return open }
            var due = try OutageExtension.some(
                of: row.id,
                where: """
                    next_attempt <= \(now) ORDER BY next_attempt, purchase
                    LIMIT \(Self.callsWritten)
                    """, session)
            let members = try audience(at: now).members(due.map(\.purchase), session)
            let running = try OutageCall.all(of: row.id, session).filter { $0.completed == nil }
            for index in due.indices {
                // The call for all may reach it still, and nobody is extended twice.
                let isOpen = running.contains {
                    $0.environment == due[index].environment
                        && $0.productID == due[index].productID
                }
                if isOpen, due[index].state == .notEligible {
                    due[index].nextAttempt = now + OutageExtension.recheckPause
                    try due[index].save(session)
                    continue
                }
                let subscriber = members[due[index].purchase]?.subscriber
                try prepare(&due[index], subscriber, at: now)
                try due[index].save(session)
            }
            return due
        }
    }

    private func prepare(
        _ one: inout OutageExtension, _ subscriber: CampaignSubscriber?, at now: Instant
    ) throws(StorageError) {
        let event: OutageCampaignState.Event = one.mayPass ? .changed : .momentReached
        // A look that is over; the rules name the next moment of a call.
        if one.mayPass { one.nextAttempt = nil }
        guard let subscriber else {
            if one.state == .planned {
                (one.state, one.reason) = (.leftOut, OutageLeftOutReason.otherProduct.rawValue)
            }
            one.nextAttempt = nil
            return
        }
        var machine = try one.machine(isStopped: false)
        let actions = machine.handle(event, at: now, of: campaign, for: subscriber)
        one.take(machine)
        one.isCalling = actions.contains { action in
            if case .extend = action { true } else { false }
        }
        one.recheck(from: now, until: OutageExtension.lastRecheck(of: row))
    }

    private func call(_ one: OutageExtension) async throws {
        let answer = try await ask(one)
        let now = try await merchant.now()
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var one = one
            switch answer {
            case .closed(let problem):
                one.nextAttempt = now + Self.pause
                try note(problem, session)
            case .event(let event):
                let route: ExtensionRoute = one.state == .retried ? .retry : .single
                let members = try audience(at: now).members([one.purchase], session)
                one.nextAttempt = nil
                try apply(event, by: route, to: &one, members[one.purchase], at: now)
            }
            try one.save(session)
        }
    }

    private func note(_ problem: String, _ session: any Session) throws(StorageError) {
        guard var current = try CampaignRow.locked(row.id, session), current.problem != problem
        else { return }
        current.problem = problem
        try current.save(session)
    }

    private func ask(_ one: OutageExtension) async throws -> Answer {
        guard let place = place(one.environment) else {
            return .closed("the configuration names no App Store Server API")
        }
        let request = ExtendRenewalDateRequest(
            extendByDays: Int(one.days),
            extendReasonCode: ExtendReasonCode(rawValue: campaign.reason.rawValue),
            requestIdentifier: one.requestIdentifier)
        do throws(ServerAPIError) {
            let answer = try await merchant.client(of: place)
                .extendRenewalDate(of: one.originalTransactionID, request)
            guard answer.success else {
                return .event(.failed(.noAnswer, retryAfter: nil))
            }
            let end = answer.effectiveDate.map(Instant.init(milliseconds:))
            let expected = one.knownEnd.map { $0 + .days(Int(one.days)) }
            guard let end = end ?? expected else {
                return .event(.failed(.noAnswer, retryAfter: nil))
            }
            return .event(.extended(to: end))
        } catch {
            if error.kind == .cancelled { throw CancellationError() }
            if error.status == 401 { return .closed("the store takes no key: \(error)") }
            return .event(.failed(ExtensionFailure(error), retryAfter: error.retryAfter))
        }
    }
}
