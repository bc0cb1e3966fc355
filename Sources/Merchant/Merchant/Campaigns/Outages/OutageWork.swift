import MerchantRules
import Storage
import SubscriptionRules
import Synchronization
public import TimeAndChance

/// Does what is due of one outage that runs, while nobody else does.
///
/// Everything is written before the store is asked for it, so that whoever goes on after a crash
/// asks for the same again by the same identifier, and the store does it once.
struct OutageWork: Sendable {
    let merchant: Merchant
    let app: Merchant.ServedApp
    let row: CampaignRow
    let campaign: OutageCampaign
    let definition: CampaignDefinition
    let claim: WorkClaim
    /// Whether the store is asked how far it is although it was asked a short time ago.
    let asksNow: Bool
    let pace: CallPace

    /// How many rows are changed at a time.
    static let batch = 100

    /// Does everything that is due, in turn, until nothing is.
    func run() async throws {
        try await writeDownAudience()
        while try await isAsItWas() {
            // Not `||`: what comes later is done as well.
            var moved = try await makeCalls()
            moved = try await takeResults() || moved
            moved = try await followCalls() || moved
            moved = try await reconcileCalls() || moved
            moved = try await callSingly() || moved
            moved = try await sendMails() || moved
            guard moved else { break }
        }
        try await end()
    }

    /// Whether nobody has paused, resumed or stopped it since this work began.
    private func isAsItWas() async throws -> Bool {
        let current = try await merchant.database.read { session in
            try CampaignRow.find(row.name, of: row.app, session)
        }
        let state: CampaignRunState = row.state == .planned ? .running : row.state
        return current?.state == state
    }

    // MARK: The audience

    func audience(at now: Instant) -> Audience {
        Audience(app: app, definition: definition, now: now)
    }

    /// Writes down everybody whom the campaign may be for, a page a transaction.
    private func writeDownAudience() async throws {
        var isOpen = row.state == .planned
        while isOpen {
            let now = try await merchant.now()
            isOpen = try await merchant.database.write(.together) { session in
                try claim.renew(session)
                guard var current = try CampaignRow.locked(row.id, session),
                    current.state == .planned
                else { return false }
                let page = try audience(at: now).page(
                    after: current.cursor ?? 0, limit: Self.batch, session)
                for member in page.members {
                    try OutageExtension(member, of: campaign, in: current, at: now).save(session)
                }
                current.cursor = page.next ?? current.cursor
                if page.next == nil { current.state = .running }
                current.moved = now
                try current.save(session)
                return page.next != nil
            }
        }
    }

    /// Ends the campaign where nothing is to come for anybody.
    private func end() async throws {
        let now = try await merchant.now()
        try await merchant.database.write(.together) { session in
            try claim.renew(session)
            guard var current = try CampaignRow.locked(row.id, session),
                current.state == .running
            else { return }
            let isWaiting = try OutageCall.all(of: row.id, session).contains { !$0.isReconciled }
            let hasResults = try !OutageResult.waiting(for: row.id, limit: 1, session).isEmpty
            guard !isWaiting, !hasResults else { return }
            for condition: SQL in ["next_attempt IS NOT NULL", "is_calling = 1", "mail_at > 0"] {
                let isOpen = try OutageExtension.exists(in: row.id, where: condition, session)
                guard !isOpen else { return }
            }
            current.state = .done
            current.moved = now
            current.problem = nil
            try current.save(session)
        }
    }

    // MARK: What happens to a subscription

    /// Takes in what happened to one.
    ///
    /// - Parameters:
    ///   - route: by which call.
    ///   - member: as the registers know it now; nil where it has another product.
    func apply(
        _ event: OutageCampaignState.Event, by route: ExtensionRoute,
        to one: inout OutageExtension, _ member: AudienceMember?, at now: Instant
    ) throws(StorageError) {
        let before = one.state
        one.isCalling = false
        if case .failed(let failure, _) = event { one.answerCode = failure.code }
        let isUnknown = one.reason == OutageLeftOutReason.unknownTerms.rawValue
        if let subscriber = member?.subscriber, !isUnknown {
            var machine = try one.machine(isStopped: row.state == .stopped)
            _ = machine.handle(event, at: now, of: campaign, for: subscriber)
            one.take(machine)
        } else {
            applyUnknown(event, to: &one)
        }
        if one.state == .extended, before != .extended {
            one.extendedBy = route
            if definition.texts.mail != nil { (one.mail, one.mailAt) = (.waiting, now) }
        }
        one.recheck(from: now, until: OutageExtension.lastRecheck(of: row))
    }

    /// Of a subscription of which too little is known, the store's word alone counts.
    private func applyUnknown(
        _ event: OutageCampaignState.Event, to one: inout OutageExtension
    ) {
        guard one.state != .extended else { return }
        switch event {
        case .extended(let end):
            (one.state, one.reason, one.extendedTo) = (.extended, nil, end)
            one.nextAttempt = nil
        case .failed(let failure, _):
            (one.state, one.reason) = (.failed, failure.code)
            one.nextAttempt = nil
        case .momentReached, .changed: break
        }
    }
}

/// Gives each call its moment, at most so many a second, and knows what was done in one work.
final class CallPace: Sendable {
    private let interval: Duration
    /// How time passes.
    let wait: @Sendable (Duration) async -> Void
    private let turn = AsyncTurn()
    private let noted = Mutex<Set<String>>([])

    /// How many single extensions the App Store takes a second (API-3).
    static let mostPerSecond = 20

    init(
        perSecond: Int, waiting wait: @escaping @Sendable (Duration) async -> Void
    ) {
        interval = Duration.seconds(1) / min(max(1, perSecond), Self.mostPerSecond)
        self.wait = wait
    }

    /// Waits for the next moment.
    func take() async {
        await turn.take { await self.wait(self.interval) }
    }

    /// Remembers that something was done in this work.
    func note(_ name: String) { noted.withLock { _ = $0.insert(name) } }

    /// Whether it was done in this work.
    func isNoted(_ name: String) -> Bool { noted.withLock { $0.contains(name) } }
}

extension Merchant {
    /// Does what is due of an outage.
    ///
    /// - Parameters:
    ///   - asksNow: whether the store is asked how far it is although it was asked shortly before.
    ///   - wait: how time passes between two calls.
    func workOnOutage(
        _ row: CampaignRow, of app: ServedApp, under claim: WorkClaim, asksNow: Bool = false,
        waiting wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) async throws {
        guard let definition = try await readDefinition(of: row, under: claim) else { return }
        guard case .outage(let campaign) = definition.work else { return }
        let work = OutageWork(
            merchant: self, app: app, row: row, campaign: campaign, definition: definition,
            claim: claim, asksNow: asksNow,
            pace: CallPace(perSecond: campaign.pace.callsPerSecond, waiting: wait))
        try await work.run()
    }

    /// Does what is due of every outage and asks the store at once how far it is, after all that
    /// came in was processed. What the store takes longer for is left to the keeper.
    ///
    /// - Parameters:
    ///   - patience: how long a store is waited for that has taken a call and is not done with it.
    ///   - wait: how time passes between two calls, replaced in tests.
    /// - Throws: `StorageError`; what the store answers goes into the reports.
    public func settleOutages(
        patience: Duration = .zero,
        waiting wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) async throws {
        let end = SystemTime.uptime() + patience
        while true {
            try await settleOnce(waiting: wait)
            guard SystemTime.uptime() < end, try await isStoreAtWork() else { return }
            await SystemTime.wait(.milliseconds(100))
            try Task.checkCancellation()
        }
    }

    /// Whether a store has taken a call and is not done with it.
    private func isStoreAtWork() async throws -> Bool {
        let numbers = apps.values.map(\.id)
        return try await database.read { session in
            try session.exists(
                """
                SELECT 1 FROM campaign c JOIN outage_call o ON o.campaign = c.id
                WHERE c.state = 'running' AND c.app IN (\(list: numbers))
                    AND o.accepted_at IS NOT NULL AND o.completed_at IS NULL LIMIT 1
                """)
        }
    }

    private func settleOnce(
        waiting wait: @escaping @Sendable (Duration) async -> Void
    ) async throws {
        try await settle()
        let served = apps
        let numbers = served.values.map(\.id)
        let rows = try await database.read { session in
            try CampaignRow.all(of: numbers, in: [.planned, .running, .stopped], session)
        }.filter { $0.kind == .outage }
        guard !rows.isEmpty else { return }
        _ = try await alone("campaigns", patience: .seconds(10)) { claim in
            for row in rows {
                guard let app = served.values.first(where: { $0.id == row.app }) else { continue }
                do {
                    try await self.workOnOutage(
                        row, of: app, under: claim, asksNow: true, waiting: wait)
                } catch is WorkIsTaken {
                    return false
                }
            }
            return true
        }
        // What came in meanwhile is of other moments.
        try await settle()
    }
}
