package import HTTPSurface
import Store
package import SubscriptionRules

/// How the built-in bank answers a customer's bills.
package struct PaymentSheet: Sendable {
    package enum Behaviour: String, Sendable, CaseIterable {
        case approve, decline, later
    }

    package var behaviour = Behaviour.approve
    package var until: Instant?
    package var count: Int?
    /// A length of time, as ISO 8601 text.
    package var after: String?
    package var isPaid: Bool?

    /// One that an answer is read into.
    package init() {}

    init(_ method: PaymentMethod) {
        switch method {
        case .approves: behaviour = .approve
        case .declines(let until, let left):
            behaviour = .decline
            (self.until, count) = (until, left)
        case .answersLater(let after, let isPaid):
            behaviour = .later
            (self.after, self.isPaid) = (after?.iso8601, isPaid)
        }
    }
}

/// How the built-in bank answers a customer's bills, declared once.
package enum PaymentForm {
    static let behaviour = TypedMember<PaymentSheet, PaymentSheet.Behaviour>(
        "behaviour", "What it does.", .choice(), \.behaviour)
    static let until = TypedMember<PaymentSheet, Instant?>(
        "until", "Declines before this moment, then approves; later than the clock shows.",
        MemberKind<Instant>.moment().ifAny(), \.until)
    static let count = TypedMember<PaymentSheet, Int?>(
        "count", "Declines so many charges, then approves.",
        MemberKind<Int>.count(1...1_000_000).ifAny(), \.count)
    static let after = TypedMember<PaymentSheet, String?>(
        "after",
        "After how long it answers; absent for when the operator does. Of what a customer asks "
            + "for nothing waits longer than 24 hours: it is given up then.",
        MemberKind<String>.text(2...64, .span).ifAny(), \.after)
    static let isPaid = TypedMember<PaymentSheet, Bool?>(
        "answer", "What it answers then; paid unless given.",
        MemberKind<Bool>.choice(of: [true, false], named: { $0 ? "paid" : "declined" }).ifAny(),
        \.isPaid)

    package static let payment = ObjectForm<PaymentSheet>(
        "How bills are answered.",
        all: [behaviour.fact, until.fact, count.fact, after.fact, isPaid.fact])

    /// What a request says: the members of a behaviour beside it.
    static let request = Schema(
        kind: .variants(
            Schema.Variants(
                key: behaviour.asked,
                members: [
                    ("approve", []), ("decline", [until.asked, count.asked]),
                    ("later", [after.asked, isPaid.asked]),
                ], code: "onlyWithAnotherBehaviour")), about: "How bills are answered.")
}
