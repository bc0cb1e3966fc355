import Letters
import SubscriptionRules

/// What each kind of mail says, in which order.
extension MailSheet {
    var subject: Sentence {
        switch letter.content {
        case .welcome(let mail): words.welcomeSubject(mail.name)
        case .receipt(let mail):
            words.receiptSubject(mail.lines[0].name, others: mail.lines.count - 1)
        case .willRenew(let items): words.willRenewSubject(items[0].name, others: items.count - 1)
        case .willExpire(let items):
            words.willExpireSubject(items[0].name, others: items.count - 1)
        case .cannotPay(let mail): words.cannotPaySubject(mail.name)
        case .billingProblem(let mail):
            mail.state == .ended ? words.endedSubject(mail.name) : words.billingSubject(mail.name)
        case .priceIncrease(let mail):
            mail.needsConsent
                ? words.consentSubject(mail.lines[0].name, others: mail.lines.count - 1)
                : words.increaseSubject(mail.lines[0].name, others: mail.lines.count - 1)
        case .koreanConversion(let mail):
            words.conversionSubject(mail.lines[0].name, others: mail.lines.count - 1)
        case .renewalExtended(let mail): words.extendedSubject(mail.name)
        case .discontinued(let mail): words.discontinuedSubject(mail.name)
        case .refundDecided(let mail):
            mail.amount == nil
                ? words.refundDeclinedSubject(mail.name) : words.refundedSubject(mail.name)
        case .sharing(let mail):
            mail.giver == nil ? words.shareSubject(mail.name) : words.sharedSubject(mail.name)
        }
    }

    var blocks: [Block] {
        switch letter.content {
        case .welcome(let mail): welcome(mail)
        case .receipt(let mail): receipt(mail)
        case .willRenew(let items):
            [.paragraph(words.willRenew(items.count))] + items.map(upcoming)
                + [.paragraph(words.howToTurnOff)]
        case .willExpire(let items):
            [.paragraph(words.willExpire(items.count))] + items.map(upcoming)
                + [.paragraph(words.howToTurnOff)]
        case .cannotPay(let mail): cannotPay(mail)
        case .billingProblem(let mail): billingProblem(mail)
        case .priceIncrease(let mail): priceIncrease(mail)
        case .koreanConversion(let mail): conversion(mail)
        case .renewalExtended(let mail): extended(mail)
        case .discontinued(let mail): discontinued(mail)
        case .refundDecided(let mail): refund(mail)
        case .sharing(let mail):
            [
                .paragraph(
                    mail.giver.map { words.shared(mail.name, by: $0) } ?? words.share(mail.name))
            ]
        }
    }

    private func welcome(_ mail: CustomerMail.Welcome) -> [Block] {
        let price = price(mail.price, mail.period)
        var blocks: [Block] = [.paragraph(words.welcome(mail.name, app: letter.app))]
        if let offer = mail.offer {
            blocks.append(
                .paragraph(
                    offer.paid.milliunits == 0
                        ? words.startsFree(until: day(offer.until), then: price)
                        : words.startsReduced(
                            amount(offer.paid), until: day(offer.until), then: price)))
        } else if mail.commitment == nil {
            blocks.append(.paragraph(words.renewsByItself(on: day(mail.renews), for: price)))
        }
        if let total = mail.commitment {
            blocks.append(.paragraph(words.commits(to: amount(total))))
        }
        blocks.append(
            .item(
                name: mail.name,
                facts: [(words.price, price), (words.renews, .value(day(mail.renews)))]))
        return blocks + [.paragraph(words.howToTurnOff)]
    }

    private func receipt(_ mail: CustomerMail.Receipt) -> [Block] {
        let lines = mail.lines.map { line in
            let name =
                line.quantity > 1 ? "\(words.quantity(line.quantity)) \(line.name)" : line.name
            var facts: [(label: String, value: Sentence)] = [
                (words.price, .value(amount(line.amount)))
            ]
            if let standard = line.insteadOf {
                facts.append((words.insteadOf, .value(amount(standard))))
            }
            if let until = line.until { facts.append((words.paidUntil, .value(day(until)))) }
            return Block.item(name: name, facts: facts)
        }
        let total = Money(
            milliunits: mail.lines.reduce(0) { $0 + $1.amount.milliunits },
            mail.lines[0].amount.currency)
        return [.paragraph(words.receipt(app: letter.app))] + lines + [
            .item(
                name: nil,
                facts: [
                    (words.total, .value(amount(total))), (words.date, .value(day(mail.at))),
                    (words.order, .value(mail.order)),
                ])
        ]
    }

    private func upcoming(_ item: CustomerMail.Upcoming) -> Block {
        guard let price = item.price else {
            let reason = words.reasonToEnd(item.reasonToEnd ?? .turnedOff)
            return .item(
                name: item.name,
                facts: [(words.ends, .value(day(item.at))), (words.reason, reason)])
        }
        return .item(
            name: item.name,
            facts: [
                (words.price, self.price(price, item.period)), (words.renews, .value(day(item.at))),
            ])
    }

    private func cannotPay(_ mail: CustomerMail.Upcoming) -> [Block] {
        let price = mail.price.map(amount) ?? ""
        return [
            .paragraph(words.cannotPay(mail.name, price: price, day: day(mail.at))),
            .paragraph(words.updatePayment),
        ]
    }

    private func billingProblem(_ mail: CustomerMail.BillingProblem) -> [Block] {
        let price = amount(mail.price)
        switch mail.state {
        case .ended: return [.paragraph(words.ended(mail.name, price: price))]
        case .retrying(let until):
            return [
                .paragraph(words.notPaid(mail.name, price: price)),
                .paragraph(
                    until.map { words.accessGoesOn(until: day($0)) } ?? words.accessIsInterrupted),
                .paragraph(words.updatePayment),
            ]
        }
    }

    private func priceIncrease(_ mail: CustomerMail.PriceIncreaseNews) -> [Block] {
        let lines = mail.lines.map { line in
            Block.item(
                name: line.name,
                facts: [
                    (words.oldPrice, price(line.old, mail.period)),
                    (words.newPrice, price(line.new, mail.period)),
                    (words.startsOn, .value(day(mail.at))),
                ])
        }
        let last =
            mail.needsConsent
            ? words.consentNeeded(
                for: mail.lines.count, ending: mail.lines.map(\.name) + mail.dependents,
                day: day(mail.at))
            : words.increaseStands(before: day(mail.at))
        return [.paragraph(words.increase(mail.lines.count))] + lines + [.paragraph(last)]
            + rest(mail.restGoesOn)
    }

    private func rest(_ goesOn: Bool) -> [Block] { goesOn ? [.paragraph(words.restGoesOn)] : [] }

    private func conversion(_ mail: CustomerMail.KoreanConversionRequest) -> [Block] {
        let (first, names) = (mail.lines[0], mail.lines.map(\.name))
        let isWhole = mail.lines.count == 1 && !mail.restGoesOn
        let items = mail.lines.map { line in
            Block.item(
                name: line.name,
                facts: [
                    (words.newPrice, price(line.price, mail.period)),
                    (words.startsOn, .value(day(mail.at))),
                    (words.answerBy, .value(day(mail.answerBy))),
                ])
        }
        return [
            .paragraph(
                mail.lines.count == 1
                    ? words.conversion(
                        first.name, isFree: first.isFree, price: price(first.price, mail.period),
                        day: day(mail.at))
                    : words.conversions(names, day: day(mail.at))),
            .paragraph(
                isWhole
                    ? words.conversionNeeded(by: day(mail.answerBy))
                    : words.conversionNeeded(for: names, by: day(mail.answerBy))),
        ] + rest(mail.restGoesOn) + items
    }

    private func extended(_ mail: CustomerMail.RenewalExtended) -> [Block] {
        [
            .paragraph(words.extended(mail.name, day: day(mail.new))),
            .item(
                name: mail.name,
                facts: [
                    (words.oldRenewal, .value(day(mail.old))),
                    (words.newRenewal, .value(day(mail.new))),
                ]),
        ]
    }

    private func discontinued(_ mail: CustomerMail.Discontinued) -> [Block] {
        let others = mail.others.map { other in
            Block.item(name: other.name, facts: [(words.price, price(other.price, other.period))])
        }
        return [.paragraph(words.discontinued(mail.name, day: day(mail.ends)))]
            + (others.isEmpty ? [] : [.paragraph(words.others)] + others)
    }

    private func refund(_ mail: CustomerMail.RefundDecided) -> [Block] {
        [
            .paragraph(
                mail.amount.map { money in
                    mail.isAsked
                        ? words.refunded(mail.name, amount: amount(money))
                        : words.refundedUnasked(mail.name, amount: amount(money))
                } ?? words.refundDeclined(mail.name)),
            .item(name: mail.name, facts: [(words.bought, .value(day(mail.bought)))]),
        ]
    }
}
