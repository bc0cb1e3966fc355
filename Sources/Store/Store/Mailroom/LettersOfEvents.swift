import Letters
import Mail
import SubscriptionRules

/// Which mails an event brings, in the transaction in which it happens.
extension UnitOfWork {
    /// Puts a mail on its way, where the app writes to this customer at all.
    func write(
        to customer: Customer, from app: App, about subscription: Int64? = nil,
        by channel: LetterChannel = .mail, at moment: Instant,
        _ content: (_ name: (String) -> String) -> CustomerMail?
    ) {
        guard let mailroom, app.settings.writes(to: customer, by: channel) else { return }
        guard let content = content({ app.displayName(of: $0, for: customer) }) else { return }
        let id = nextNumber()
        stage(
            MailRecord(
                id: id, app: app.id, environment: customer.environment, customer: customer.id,
                subscription: subscription, created: moment, content: content,
                channel: channel,
                messageID: "\(identifier("mail", id))@\(mailroom.sender.domain)",
                recipient: channel == .mail ? customer.mailAddress?.text : nil))
    }

    /// The receipt of something that was bought once.
    func writeReceipt(of transaction: TransactionRecord, at moment: Instant) throws {
        guard mailroom != nil, transaction.price.milliunits > 0,
            let customer = try Customer.find(transaction.customer, in: session)
        else { return }
        let app = try apps[transaction.app]
        // What a code took off is said beside what was paid.
        let standard = transaction.offer.flatMap { _ in
            app.product(transaction.productID)?.price(in: transaction.storefront)
        }.flatMap { $0.milliunits > transaction.price.milliunits ? $0 : nil }
        write(to: customer, from: app, at: moment) { name in
            .receipt(
                .init(
                    order: String(transaction.id), at: moment,
                    lines: transaction.receiptLines(insteadOf: standard, name)))
        }
    }

    /// What was decided about a customer's request, or without one was given back.
    func writeDecision(
        about transaction: TransactionRecord, granting amount: Money?, at moment: Instant
    ) throws {
        guard mailroom != nil, let customer = try Customer.find(transaction.customer, in: session)
        else { return }
        let isAsked =
            try amount == nil
            || RefundRequest.open(forTransaction: transaction.id, in: session) != nil
        write(
            to: customer, from: try apps[transaction.app], about: transaction.subscription,
            at: moment
        ) { name in
            .refundDecided(
                .init(
                    name: transaction.displayName(name), bought: transaction.purchased,
                    amount: amount, isAsked: isAsked))
        }
    }
}

extension SubscriptionWork {
    /// Writes to the customer of what an event came to.
    ///
    /// - Parameter before: the subscription's state as it was, and the end of its period.
    func tellByMail(
        _ event: Event, from before: (state: Subscription.State, end: Instant), at moment: Instant
    ) throws {
        guard work.mailroom != nil, app.settings.writes(to: customer, by: .inApp) else { return }
        let now = record.subscription
        if before.state == .new, opened != nil { write(welcome, at: moment) }
        if opened != nil { write(receipt, at: moment) }
        if case .wasExtended = event {
            write(
                { name in
                    .renewalExtended(
                        .init(
                            name: now.plan.displayName(name), old: before.end,
                            new: now.newestPeriod.end))
                }, at: moment)
        }
        if let state = billingProblem(since: before.state) {
            // What is tried again is shown in the app as well, where something can be done.
            for channel in [LetterChannel.mail, .inApp] where channel == .mail || state != .ended {
                write(
                    { [declined] name in
                        let plan = now.renewalPlan
                        let price = declined ?? plan.lines.reduce(0) { $0 + $1.price }
                        return .billingProblem(
                            .init(
                                name: plan.displayName(name),
                                price: Money(milliunits: price, plan.currency), state: state))
                    }, by: channel, at: moment)
            }
        }
        try work.follow(try work.letters(about: record, to: customer), at: moment)
    }

    private func write(
        _ content: @escaping (_ name: (String) -> String) -> CustomerMail?,
        by channel: LetterChannel = .mail, at moment: Instant
    ) {
        work.write(
            to: customer, from: app, about: record.subscription.id, by: channel, at: moment,
            content)
    }

    /// A renewal has failed that had not, or nothing is tried any more.
    private func billingProblem(
        since before: Subscription.State
    ) -> CustomerMail.BillingProblem.State? {
        switch (before, record.subscription.state) {
        case (.active, .grace(_, let until)), (.awaitingPayment, .grace(_, let until)):
            .retrying(accessUntil: until)
        case (.active, .retrying), (.awaitingPayment, .retrying): .retrying(accessUntil: nil)
        case (.grace, .expired(.billingError, _)), (.retrying, .expired(.billingError, _)),
            (.active, .expired(.billingError, _)), (.awaitingPayment, .expired(.billingError, _)):
            .ended
        default: nil
        }
    }

    /// Once, after the first purchase (TAB-13).
    private func welcome(_ name: (String) -> String) -> CustomerMail? {
        guard let opened else { return nil }
        let plan = record.subscription.plan
        return .welcome(
            .init(
                name: plan.displayName(name), price: plan.price, period: plan.period,
                offer: endOfOffers(of: plan, from: opened.purchased).map {
                    .init(paid: opened.price, until: $0)
                }, renews: record.subscription.newestPeriod.end,
                commitment: plan.billing == .monthly
                    ? Money(
                        milliunits: Commitment.price(ofMonth: plan.price.milliunits),
                        plan.currency)
                    : nil))
    }

    /// When the standard price is first charged: after all discounted periods of every line; nil
    /// without an offer.
    private func endOfOffers(of plan: Plan, from start: Instant) -> Instant? {
        let offers = plan.lines.compactMap(\.offer)
        guard !offers.isEmpty else { return nil }
        let ends = offers.filter { $0.mode == .payAsYouGo }.map { offer in
            var cycle = BillingCycle(anchor: start)
            return cycle.advance(
                by: offer.wholePeriod, tempo: .real, zone: app.settings.billingZone)
        }
        let end = customer.environment == .production ? ends.max() : nil
        return end ?? record.subscription.newestPeriod.end
    }

    /// For each charge; what is free has none.
    private func receipt(_ name: (String) -> String) -> CustomerMail? {
        guard let opened, opened.price.milliunits > 0 else { return nil }
        return .receipt(
            .init(
                order: String(opened.id), at: opened.purchased,
                lines: opened.receiptLines(name)))
    }
}
