import Letters
import Storage
import SubscriptionRules

/// Whether a letter that was written still holds when it goes out, or is shown.
struct LetterTruth {
    let session: any Session
    let apps: Apps
    let now: Instant
    let isBankBuiltIn: Bool

    /// Why a letter is not to go out any more; nil where it is. Of a reminder, and of prices, only
    /// that part is left which is still true.
    func reason(against mail: inout MailRecord, to customer: Customer) throws -> String? {
        guard mail.attempts == 0 else { return nil }
        switch mail.content {
        case .willRenew(let items):
            let kept = try stillComing(items, to: customer) { $0.price != nil }
            mail.content = .willRenew(kept)
            return kept.isEmpty ? "nothing of it renews any more" : nil
        case .willExpire(let items):
            let kept = try stillComing(items, to: customer) { $0.price == nil }
            mail.content = .willExpire(kept)
            return kept.isEmpty ? "nothing of it ends any more" : nil
        case .billingProblem(let problem) where problem.state != .ended:
            return try subscription(of: mail).flatMap(reasonAgainstComplaint)
        case .priceIncrease(let news):
            guard let record = try subscription(of: mail) else { return nil }
            return reason(against: &mail, of: news, try letters(record, customer))
        case .koreanConversion(let request):
            guard let record = try subscription(of: mail) else { return nil }
            let letters = try letters(record, customer)
            let isOpen = record.subscription.conversion?.isOpen(at: now) ?? false
            guard isOpen, let kept = letters.stillAsked(of: request) else {
                return "there is nothing to agree to any more"
            }
            mail.content = .koreanConversion(kept)
            return nil
        case .cannotPay(let renewal):
            guard let record = try subscription(of: mail) else { return nil }
            let letters = try letters(record, customer)
            return letters.unpayable(at: now)?.at == renewal.at ? nil : "it looks payable by now"
        case .welcome, .receipt, .billingProblem, .renewalExtended, .discontinued,
            .refundDecided, .sharing:
            return nil
        }
    }

    private func subscription(of mail: MailRecord) throws -> SubscriptionRecord? {
        try mail.subscription.flatMap { try SubscriptionRecord.find($0, in: session) }
    }

    private func letters(
        _ record: SubscriptionRecord, _ customer: Customer
    ) throws -> ComingLetters {
        ComingLetters(
            app: try apps[record.app], customer: customer, record: record,
            isBankBuiltIn: isBankBuiltIn)
    }

    private func reasonAgainstComplaint(_ record: SubscriptionRecord) -> String? {
        switch record.subscription.state {
        case .grace, .retrying: nil
        case .new, .active, .awaitingPayment: "it was paid meanwhile"
        case .expired, .revoked: "the subscription is over"
        }
    }

    private func reason(
        against mail: inout MailRecord, of news: CustomerMail.PriceIncreaseNews,
        _ letters: ComingLetters
    ) -> String? {
        guard let kept = letters.stillComing(of: news) else {
            return "there is nothing to tell of it any more"
        }
        mail.content = .priceIncrease(kept)
        let prices = mail.content.prices
        guard mail.channel == .push, !news.needsConsent, let id = mail.subscription,
            let sent = try? MailRecord.sent(about: id, since: .earliest, in: session),
            sent.contains(where: {
                $0.kind == .priceIncreaseNotice && $0.channel == .inApp && $0.seen != nil
                    && prices.areAll(in: $0.prices)
            })
        else { return nil }
        return "it was seen in the app"
    }

    /// The items of a reminder that will come to pass as it says.
    private func stillComing(
        _ items: [CustomerMail.Upcoming], to customer: Customer,
        where isOfKind: (CustomerMail.Upcoming) -> Bool
    ) throws -> [CustomerMail.Upcoming] {
        guard let last = items.map(\.at).max() else { return [] }
        let letters = try SubscriptionRecord.all(ofCustomer: customer.id, in: session)
            .map { try self.letters($0, customer) }
        let coming = ReminderItem.all(
            of: letters, after: now, before: last + Span(milliseconds: 1)
        ).filter { isOfKind($0.upcoming) }
        return items.filter { item in
            coming.contains { one in
                one.upcoming.at == item.at
                    && (one.isMerchants
                        || [one.upcoming, one.namingApp].contains { $0.name == item.name })
            }
        }
    }
}
