import AppStoreWire
import Logging
import Outbox
import Storage
import SubscriptionRules

/// The notifications of a world, as its outbox delivers them: those of one app in one environment
/// have one server, and so one lane.
struct Notifications: OutboxSource {
    let store: Store

    let table = NotificationRecord.outbox

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session, _ now: Instant) throws -> T
    ) async throws -> T {
        try await store.read { try body($0.session, $0.now) }
    }

    func change<T: Sendable>(
        _ body: @escaping @Sendable (UnitOfWork) throws -> T
    ) async throws -> T {
        try await store.write(about: .whatIsTakenUp, body)
    }

    func attempt(_ row: Row, in work: UnitOfWork) throws -> DeliveryAttempt {
        let notification = try NotificationRecord(row)
        return DeliveryAttempt(
            notification: notification, app: try work.apps[notification.app], moment: work.now)
    }

    func goingOut(
        _ due: [DeliveryAttempt], by moment: Instant, in work: UnitOfWork
    ) throws -> [DeliveryAttempt] {
        try work.goingOut(due, by: moment)
    }

    func seal(_ attempt: DeliveryAttempt) throws -> DeliveryAttempt? {
        guard attempt.notification.signedPayload == nil else { return nil }
        var attempt = attempt
        attempt.notification.signedPayload = try store.courier.sign(
            attempt.notification, app: attempt.app)
        return attempt
    }

    func saveSealed(
        _ attempt: DeliveryAttempt, in session: any Session
    ) throws -> DeliveryAttempt {
        var attempt = attempt
        try attempt.notification.saveSigned(in: session)
        return attempt
    }

    func carry(_ attempt: DeliveryAttempt) async -> DeliveryAttempt {
        await store.courier.carry(attempt)
    }

    func save(_ attempt: DeliveryAttempt, in session: any Session) throws {
        guard let outcome = attempt.outcome else {
            preconditionFailure("notification \(attempt.notification.uuid) was not tried")
        }
        try attempt.notification.save(attemptAt: attempt.moment, outcome: outcome, in: session)
    }

    func kept(_ attempts: [DeliveryAttempt]) {
        for attempt in attempts {
            store.log.debug(
                "notification tried",
                metadata: [
                    "type": "\(attempt.notification.type.rawValue)",
                    "outcome": "\(attempt.outcome?.rawValue ?? "")",
                    "attempt": "\(attempt.notification.attempts)",
                ])
        }
    }
}

/// One attempt to deliver a notification, from being taken up to being kept.
struct DeliveryAttempt: OutboxAttempt {
    /// What is about one goes out in order: a subscription, else a customer, else it is about
    /// nobody, such as a test or a summary.
    enum Subject: Hashable, Sendable {
        case subscription(Int64)
        case customer(Int64)
        case itself(Int64)
    }

    var notification: NotificationRecord
    /// What becomes of it on the way.
    var fault = DeliveryFault.straight
    /// As it was when the attempt was taken up.
    let app: App
    let moment: Instant
    /// What it came to, once it was made.
    var outcome: SendAttemptResult?

    init(notification: NotificationRecord, app: App, moment: Instant) {
        self.notification = notification
        self.app = app
        self.moment = moment
    }

    var id: Int64 { notification.id }

    var subject: Subject {
        if let subscription = notification.subscription { return .subscription(subscription) }
        if let customer = notification.customer { return .customer(customer) }
        return .itself(id)
    }

    var hasArrived: Bool { outcome == .success }

    /// The results of a mass extension come before what sums them up.
    var sumsUp: Bool { notification.subtype == .summary }
}

extension UnitOfWork: OutboxWork {}

extension Lane {
    /// The lane of an app's notifications in an environment.
    init(of app: Int64, in environment: StoreEnvironment) {
        self.init(in: NotificationRecord.outbox.name, [app, environment.rawValue])
    }
}
