import Letters
import SubscriptionRules

/// What customers are told by the dates of their subscriptions, in the transaction in which it is
/// due: once each, since what was sent stands in the outbox.
extension UnitOfWork {
    /// Writes whatever is due to a customer, and sees when something is next.
    ///
    /// - Parameter records: all subscriptions of the customer, as they are by then.
    func writeLetters(
        to customer: Customer, at moment: Instant, about records: [SubscriptionRecord]
    ) throws {
        var due = try letterDue(of: customer.id)
        due.clear()
        let letters = try records.map { try self.letters(about: $0, to: customer) }
            .filter { $0.app.settings.writes(to: customer, by: .inApp) }
        for one in letters { try write(one, at: moment) }
        if due.remindedUntil.map({ $0 <= moment }) ?? true {
            due.remindedUntil =
                try remind(customer, of: letters.filter(\.getsMail), at: moment)
                ?? due.remindedUntil
        }
        for one in letters { due.add(one.next(after: moment, remindedUntil: due.remindedUntil)) }
        stage(due)
    }

    func letters(
        about record: SubscriptionRecord, to customer: Customer
    ) throws -> ComingLetters {
        ComingLetters(
            app: try apps[record.app], customer: customer, record: record,
            isBankBuiltIn: bank == nil)
    }

    /// Looks anew at a customer's letters at once: what was set may have brought one.
    func lookAtLetters(to customer: Customer) throws {
        guard mailroom != nil,
            apps.all.contains(where: { $0.settings.writes(to: customer, by: .mail) })
        else { return }
        var due = try letterDue(of: customer.id)
        due.add(now)
        stage(due)
    }

    /// Writes what an event brought by its dates, and sees when something is next.
    func follow(_ letters: ComingLetters, at moment: Instant) throws {
        try write(letters, at: moment)
        // Where no mail goes only prices have dates, and most have none: nothing is read for them.
        guard letters.getsMail || letters.next(after: moment, remindedUntil: nil) != nil else {
            return
        }
        var due = try letterDue(of: letters.customer.id)
        due.add(letters.next(after: moment, remindedUntil: due.remindedUntil))
        if due != (try letterDue(of: letters.customer.id)) { stage(due) }
    }

    /// Writes what is due of one subscription.
    private func write(_ letters: ComingLetters, at moment: Instant) throws {
        for news in letters.priceNews { try write(news, of: letters, at: moment) }
        try tellOfCatalogue(letters, at: moment)
        guard let renewal = letters.unpayable(at: moment) else { return }
        let record = letters.record
        let sent = try lettersSent(
            about: record.subscription.id, since: record.subscription.newestPeriod.purchased)
        guard !sent.contains(where: { $0.kind == .cannotPay }) else { return }
        write(letters, at: moment) { _ in .cannotPay(renewal) }
    }

    /// Writes the messages of a price that are due and were not sent: of each channel the last one.
    /// A request comes no sooner than a week after the one before (ACC-12), a notice once, also
    /// where an extension moves its date (ACC-11); what no letter has named yet waits for none.
    private func write(
        _ news: ComingLetters.PriceNews, of letters: ComingLetters, at moment: Instant
    ) throws {
        let due = news.messages.filter { $0.moment <= moment }
        guard let first = due.first?.moment else { return }
        let prices = letters.content(of: news.subject, \.self).prices
        let sent = try lettersSent(about: letters.record.subscription.id, since: first)
            .filter { $0.kind == news.kind && prices.areAll(in: $0.prices) }
        for channel in PriceMessage.Channel.allCases {
            guard let message = due.last(where: { $0.channel == channel }) else { continue }
            let since =
                message.condition == .untilAnswered
                ? min(message.moment, moment - letters.week + Span(milliseconds: 1)) : first
            guard
                !sent.contains(where: {
                    $0.channel == channel.letterChannel && $0.at >= since
                })
            else { continue }
            if message.condition == .unlessSheetWasSeen,
                sent.contains(where: { $0.channel == .inApp && $0.seen != nil })
            {
                continue
            }
            write(letters, at: moment, channel.letterChannel) {
                letters.content(of: news.subject, $0)
            }
        }
    }

    func write(
        _ letters: ComingLetters, at moment: Instant, _ channel: LetterChannel = .mail,
        _ content: (_ name: (String) -> String) -> CustomerMail
    ) {
        write(
            to: letters.customer, from: letters.app, about: letters.record.subscription.id,
            by: channel, at: moment, content)
    }

    /// Reminds of everything that renews or ends in the coming month, by at most two mails.
    ///
    /// - Returns: up to where it looked; nil where there was nothing to remind of.
    private func remind(
        _ customer: Customer, of letters: [ComingLetters], at moment: Instant
    ) throws -> Instant? {
        guard letters.contains(where: { $0.isToBeReminded(at: moment) }),
            let until = letters.map({ $0.month(after: moment) }).max()
        else { return nil }
        let items = ReminderItem.all(of: letters, after: moment, before: until)
        guard let app = items.first?.app else { return nil }
        let severalApps = items.contains { $0.app.id != app.id }
        for (isRenewal, kind) in [
            (true, CustomerMail.willRenew), (false, CustomerMail.willExpire),
        ] {
            let some = items.filter { ($0.upcoming.price != nil) == isRenewal }
            guard !some.isEmpty else { continue }
            write(to: customer, from: app, at: moment) { _ in
                kind(some.map { severalApps ? $0.namingApp : $0.upcoming })
            }
        }
        return until
    }
}

/// A period that ends, as a reminder tells it.
struct ReminderItem {
    let app: App
    let upcoming: CustomerMail.Upcoming
    /// Whether the merchant names it, which may call it something else tomorrow.
    let isMerchants: Bool

    /// Those of a customer's subscriptions that end in a time, the first one first.
    static func all(
        of letters: [ComingLetters], after moment: Instant, before until: Instant
    ) -> [ReminderItem] {
        letters.compactMap { one in
            one.upcoming(after: moment, before: until).map {
                ReminderItem(
                    app: one.app, upcoming: $0,
                    isMerchants: one.subscription.plan.merchant != nil)
            }
        }.sorted { ($0.upcoming.at, $0.upcoming.name) < ($1.upcoming.at, $1.upcoming.name) }
    }

    /// With the name of the app, where there are several.
    var namingApp: CustomerMail.Upcoming {
        var one = upcoming
        one.name += " (\(app.settings.name))"
        return one
    }
}
