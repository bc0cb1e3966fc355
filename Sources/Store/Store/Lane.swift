/// Whose notifications go out side by side: those of one app in one environment, which have one
/// server. What that server does costs this lane alone.
///
/// The numbers are those of the table, so that a row that cannot be read has a lane as well, in
/// which it is found and set aside.
struct Lane: Hashable, Sendable {
    let app: Int64
    let environment: Int64

    /// No lane: who moves the clock has it meanwhile, so that one does so at a time. No app has
    /// this number.
    static let clock = Lane(app: 0, environment: 0)
}

/// Whom a notification is about: what is about one goes out in order, what is about several side
/// by side.
enum DeliverySubject: Hashable, Sendable {
    case subscription(Int64)
    case customer(Int64)
    /// It is about nobody, such as a test or a summary.
    case itself(Int64)
}

extension NotificationRecord {
    var subject: DeliverySubject {
        if let subscription { return .subscription(subscription) }
        if let customer { return .customer(customer) }
        return .itself(id)
    }
}
