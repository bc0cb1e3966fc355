import Letters
import Storage
import SubscriptionRules

/// What subscribers are told of what became of a product: that it is not sold any more, and that it
/// can be shared.
extension UnitOfWork {
    /// Everybody who subscribes to a product and may be written to is looked at anew, each in a
    /// turn of its own: there may be many.
    ///
    /// - Parameter channel: one by which they are told.
    func lookAtLetters(
        ofSubscribersTo productID: String, of app: App, toldBy channel: LetterChannel
    ) throws {
        guard mailroom != nil, app.settings.mails != .nobody else { return }
        try LetterDue.lookAt(
            subscribersTo: productID, of: app.id, at: now,
            onlyAddressed: channel == .mail && app.settings.mails == .addressed,
            inSandboxToo: app.settings.sandboxMails, in: session)
    }

    /// Tells a subscriber, once.
    func tellOfCatalogue(_ letters: ComingLetters, at moment: Instant) throws {
        let (app, record) = (letters.app, letters.record)
        guard !record.subscription.isOver else { return }
        if letters.getsMail, let deleted = letters.discontinued,
            try isUntold(.discontinued, of: record, since: deleted)
        {
            write(letters, at: moment) { name in .discontinued(letters.farewell(name)) }
        }
        let productID = record.subscription.plan.productID
        guard letters.customer.hearsOfSharing, let since = app.shareableSince[ExactText(productID)],
            try app.isOlderThanSharing(
                productID, source: record.subscription.id,
                bought: record.subscription.serviceStart, in: session),
            try !app.isShared(
                productID, source: record.subscription.id,
                bought: record.subscription.serviceStart,
                choice: try SharingChoice.find(record.subscription.id, in: session),
                by: letters.customer, in: session),
            try isUntold(.sharing, of: record, since: since.moment)
        else { return }
        for channel in [LetterChannel.mail, .push] {
            write(letters, at: moment, channel) { .sharing(.init(name: $0(productID))) }
        }
    }

    private func isUntold(
        _ kind: MailKind, of record: SubscriptionRecord, since moment: Instant
    ) throws -> Bool {
        try !lettersSent(about: record.subscription.id, since: moment).contains { $0.kind == kind }
    }

    /// Tells a member of a family what it has from another one (HIG-26).
    func tellOfGain(
        _ productID: String, to member: Int64, from purchaser: Int64, of app: App,
        at moment: Instant
    ) throws {
        guard mailroom != nil, let customer = try Customer.find(member, in: session),
            customer.hearsOfSharing
        else { return }
        let giver = try Customer.accounts(of: [purchaser], in: session)[purchaser] ?? ""
        for channel in [LetterChannel.mail, .push] {
            write(to: customer, from: app, by: channel, at: moment) {
                .sharing(.init(name: $0(productID), giver: giver))
            }
        }
    }
}

extension ComingLetters {
    /// What the subscriber chose for later: a commitment goes on whatever becomes of its product
    /// (CMT-1).
    private var planToCome: Plan { subscription.planOfNextTerm(in: conditions.zone) }

    /// When the product was deleted that would renew, or follow the commitment.
    var discontinued: Instant? { app.product(planToCome.productID)?.deleted }

    /// That it ends, and what is sold instead: other durations of the same level, or else whatever
    /// the group has (S308-122).
    func farewell(_ name: (String) -> String) -> CustomerMail.Discontinued {
        let plan = planToCome
        let others = app.catalogue.products.filter { product in
            product.subscription?.groupID == record.subscription.groupID
                && app.isForSale(product.id, in: record.storefront, record.environment)
        }
        let alike = others.filter { $0.subscription?.level == plan.level }
        return .init(
            name: plan.displayName(name),
            ends: subscription.commitmentEnd(in: conditions.zone) ?? subscription.newestPeriod.end,
            others: (alike.isEmpty ? others : alike).compactMap { product in
                product.subscription.map { terms in
                    .init(
                        name: name(product.id), price: product.price(in: record.storefront),
                        period: terms.period)
                }
            })
    }
}
