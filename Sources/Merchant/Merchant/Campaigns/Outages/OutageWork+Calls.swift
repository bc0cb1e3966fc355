import AppStoreWire
import MerchantRules
import ServerAPIClient
import Storage
import SubscriptionRules

/// Calls that extend all subscribers of a product.
extension OutageWork {
    /// Where the store of an environment answers.
    func place(_ environment: MerchantEnvironment) -> LookPlace? {
        merchant.lookPlaces().first {
            $0.app.id == app.id && $0.environment == environment
        }
    }

    private func calls() async throws -> [OutageCall] {
        try await merchant.database.read { session in try OutageCall.all(of: row.id, session) }
    }

    // MARK: Making them

    /// Makes the calls that are due, each after it was written down with its identifier (CMP-20).
    func makeCalls() async throws -> Bool {
        if row.state == .stopped { return try await leaveOutPlanned() }
        let now = try await merchant.now()
        var moved = false
        for call in try await calls() where call.accepted == nil && call.completed == nil {
            guard call.nextLook <= now, let place = place(call.environment) else { continue }
            try await note(call) { $0.asked = $0.asked ?? now }
            try await make(call, at: place)
            moved = true
        }
        return moved
    }

    private func make(_ call: OutageCall, at place: LookPlace) async throws {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: call.requestIdentifier, extendByDays: campaign.grantedDays,
            extendReasonCode: ExtendReasonCode(rawValue: campaign.reason.rawValue),
            productId: call.productID,
            storefrontCountryCodes: campaign.storefronts?.sorted())
        do throws(ServerAPIError) {
            _ = try await merchant.client(of: place).extendRenewalDates(request)
        } catch {
            return try await keep(error, of: call)
        }
        let now = try await merchant.now()
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var current = try call.locked(session)
            current.accepted = now
            current.attempts = 0
            current.problem = nil
            current.nextLook = now + .seconds(5)
            try current.save(session)
            try session.execute(
                """
                UPDATE campaign_extension SET state = 'requested', next_attempt = NULL
                WHERE campaign = \(row.id) AND state = 'planned'
                    AND environment = \(call.environment.rawValue)
                    AND product_id = \(call.productID)
                """)
        }
    }

    /// A call that failed is made again, or was refused for good: then nobody is extended by it.
    private func keep(_ error: ServerAPIError, of call: OutageCall) async throws {
        if error.kind == .cancelled { throw CancellationError() }
        let now = try await merchant.now()
        let failure = ExtensionFailure(error)
        let isFinal = error.kind == .refused && error.status != 401 && failure.retry == .never
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var current = try call.locked(session)
            current.problem = "\(error)"
            current.wait(from: now, until: error.retryAfter)
            if isFinal { (current.completed, current.isReconciled) = (now, true) }
            try current.save(session)
            guard isFinal else { return }
            try session.execute(
                """
                UPDATE campaign_extension SET state = 'failed', reason = \(failure.code),
                    answer_code = \(failure.code), next_attempt = NULL
                WHERE campaign = \(row.id) AND state = 'planned'
                    AND environment = \(call.environment.rawValue)
                    AND product_id = \(call.productID)
                """)
        }
    }

    /// Of a campaign that was stopped, nobody is extended whose turn has not come.
    private func leaveOutPlanned() async throws -> Bool {
        let reason = OutageLeftOutReason.stopped.rawValue
        return try await merchant.database.write(.together) { session in
            try claim.renew(session)
            let count = try session.execute(
                """
                UPDATE campaign_extension SET state = 'leftOut', reason = \(reason),
                    next_attempt = NULL
                WHERE campaign = \(row.id) AND state = 'planned'
                """)
            return count > 0
        }
    }

    private func note(
        _ call: OutageCall, _ change: @escaping @Sendable (inout OutageCall) -> Void
    ) async throws {
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            var current = try call.locked(session)
            change(&current)
            try current.save(session)
        }
    }

    // MARK: Following them

    /// Asks the store how far it is, each time later; the notification at the end says so as well.
    func followCalls() async throws -> Bool {
        let now = try await merchant.now()
        var moved = false
        for call in try await calls() where call.accepted != nil && call.completed == nil {
            // Who asks at once does so once.
            guard call.nextLook <= now || asksNow && !pace.isNoted(call.requestIdentifier),
                let place = place(call.environment)
            else { continue }
            pace.note(call.requestIdentifier)
            if try await look(at: call, at: place) { moved = true }
        }
        return moved
    }

    /// - Returns: whether the store is done with it.
    private func look(at call: OutageCall, at place: LookPlace) async throws -> Bool {
        let status: MassExtendRenewalDateStatusResponse
        do throws(ServerAPIError) {
            status = try await merchant.client(of: place)
                .massExtensionStatus(call.requestIdentifier, of: call.productID)
        } catch {
            if error.kind == .cancelled { throw CancellationError() }
            let now = try await merchant.now()
            let isUnknown = error.errorCode == 4_040_009
            let (problem, named) = ("\(error)", error.retryAfter)
            try await note(call) { current in
                current.problem = problem
                current.wait(from: now, until: named)
                // A store that knows nothing of it is asked for it again.
                if isUnknown { current.accepted = nil }
            }
            return false
        }
        let now = try await merchant.now()
        try await note(call) { current in
            current.problem = nil
            guard status.complete else { return current.wait(from: now) }
            let moment = status.completeDate.map(Instant.init(milliseconds:))
            current.completed = current.completed ?? moment ?? now
            current.succeeded = status.succeededCount
            current.failed = status.failedCount
            // Its notifications may be on their way.
            current.nextLook = now + .minutes(1)
        }
        return status.complete
    }
}

extension ExtensionFailure {
    /// How a call failed.
    init(_ error: ServerAPIError) {
        switch error.kind {
        case .refused:
            let status = (error.status ?? 400) * 10_000
            self = .refused(code: error.errorCode.map { Int($0) } ?? status)
        case .unusableRequest: self = .refused(code: 4_000_000)
        case .timedOut, .connectionLost, .unreadableReply, .cancelled: self = .noAnswer
        }
    }
}
