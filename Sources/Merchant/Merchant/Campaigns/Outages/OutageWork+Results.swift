import AppStoreSigning
import MerchantRules
import ServerAPIClient
import Storage
import SubscriptionRules

// What became of the subscribers of a call for all.
extension OutageWork {
    /// Takes in what notifications tell.
    func takeResults() async throws -> Bool {
        let now = try await merchant.now()
        return try await merchant.database.write(.together) { session in
            try claim.renew(session)
            let results = try OutageResult.waiting(for: row.id, limit: Self.batch, session)
            guard !results.isEmpty else { return false }
            let purchases = Set(results.map(\.purchase)).sorted()
            let members = try audience(at: now).members(purchases, session)
            var rows: [Int64: OutageExtension] = [:]
            for one in try OutageExtension.some(
                of: row.id, where: "purchase IN (\(list: purchases))", session)
            {
                rows[one.purchase] = one
            }
            for result in results.sorted(by: { $0.signed < $1.signed }) {
                let member = members[result.purchase]
                let known = rows[result.purchase]
                // The call reaches those as well who bought while it ran.
                if var one = known ?? member.map({ member in newcomer(member, at: now) }) {
                    try take(result, into: &one, member, at: now)
                    try one.save(session)
                    rows[result.purchase] = one
                }
                try result.remove(session)
            }
            return true
        }
    }

    private func newcomer(_ member: AudienceMember, at now: Instant) -> OutageExtension {
        OutageExtension(member, of: campaign, in: row, at: now)
    }

    private func take(
        _ result: OutageResult, into one: inout OutageExtension, _ member: AudienceMember?,
        at now: Instant
    ) throws(StorageError) {
        // A single call that is on its way brings its own answer.
        let isCalling = one.isCalling
        guard result.isExtended else {
            guard !isCalling else { return }
            return try apply(
                .failed(.leftOutOfMany, retryAfter: nil), by: .mass, to: &one, member, at: now)
        }
        guard let end = result.end ?? one.knownEnd else { return }
        let route: ExtensionRoute =
            switch one.state {
            case .retried: .retry
            case .requested where isCalling: .single
            default: .mass
            }
        try apply(.extended(to: end), by: route, to: &one, member, at: now)
    }

    // MARK: Those of whom nothing was heard

    /// Finds out what became of those of whom no notification came, once the store is done.
    func reconcileCalls() async throws -> Bool {
        let now = try await merchant.now()
        let calls = try await merchant.database.read { session in
            try OutageCall.all(of: row.id, session)
        }
        var moved = false
        for call in calls where call.completed != nil && !call.isReconciled {
            let waiting = try await silent(in: call, limit: Self.batch)
            if waiting.isEmpty {
                try await close(call)
                moved = true
            } else if call.nextLook <= now || asksNow, let place = place(call.environment) {
                moved = try await ask(for: waiting, of: call, at: place) || moved
            }
        }
        return moved
    }

    private func silent(in call: OutageCall, limit: Int) async throws -> [OutageExtension] {
        try await merchant.database.read { session in
            try OutageExtension.some(
                of: row.id,
                where: """
                    state = 'requested' AND environment = \(call.environment.rawValue)
                    AND product_id = \(call.productID) ORDER BY purchase LIMIT \(limit)
                    """, session)
        }
    }

    private func close(_ call: OutageCall) async throws {
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var current = try call.locked(session)
            current.isReconciled = true
            try current.save(session)
        }
    }

    /// Reads the store's history of notifications first, which has what could not be delivered;
    /// who is silent in it as well is asked for by itself.
    private func ask(
        for silent: [OutageExtension], of call: OutageCall, at place: LookPlace
    ) async throws -> Bool {
        guard let asked = call.asked else { return false }
        let name = WorkClaim.lookName(app.id, call.environment)
        if !pace.isNoted("history \(call.requestIdentifier)") {
            pace.note("history \(call.requestIdentifier)")
            _ = try await merchant.alone(name, patience: .seconds(10)) { claim in
                try await merchant.look(
                    .history, in: place, under: claim, since: asked - .hours(1))
            }
            try await merchant.settle()
            return true
        }
        for one in silent {
            await pace.take()
            try await ask(for: one, of: call, at: place)
        }
        return true
    }

    private func ask(
        for one: OutageExtension, of call: OutageCall, at place: LookPlace
    ) async throws {
        var event = OutageCampaignState.Event.failed(.noAnswer, retryAfter: nil)
        var isKnown = false
        do {
            let found = try await merchant.statuses(
                of: one.originalTransactionID, in: place, merchant.client(of: place))
            let facts = found.first { $0.originalTransactionID == one.originalTransactionID }?
                .transaction?.facts
            if let facts, let end = facts.expires, let known = one.knownEnd,
                facts.transactionID == one.transactionID
            {
                event =
                    end > known
                    ? .extended(to: end) : .failed(.leftOutOfMany, retryAfter: nil)
                isKnown = true
            }
        } catch let error as ServerAPIError {
            if error.kind == .cancelled { throw CancellationError() }
            event = .failed(ExtensionFailure(error), retryAfter: nil)
        } catch is JWSVerificationError {
            // What proves nothing says nothing.
        }
        let (happened, isCertain) = (event, isKnown)
        let now = try await merchant.now()
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var one = one
            let members = try audience(at: now).members([one.purchase], session)
            try apply(happened, by: .mass, to: &one, members[one.purchase], at: now)
            // It may have been extended: nobody is extended twice.
            if !isCertain { one.nextAttempt = nil }
            try one.save(session)
        }
    }
}
