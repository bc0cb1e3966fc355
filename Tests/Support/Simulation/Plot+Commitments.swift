import NaiveModel

/// Short stories about commitments to twelve months, most of which come to their end.
extension Author {
    mutating func commitmentPlot(_ life: Life) -> [Scene] {
        switch chance.number(1...17) {
        case 1...2: cancelled(life)
        case 3: waitsForTheEnd(life)
        case 4: leftAtOnce(life)
        case 5: failedMonth(life)
        case 6: boughtAnew(life)
        case 7: lastMonthFails(life)
        case 8: monthGivenBack(life)
        case 9...13: dearerNextYear(life)
        case 14: soldNoMore(life)
        case 15...16: cheaperMonths(life)
        default: unansweredMonth(life)
        }
    }

    // MARK: Scenes

    private func off(_ life: Life) -> Scene {
        { _ in .renewal(life.account, group: life.group, isOn: false) }
    }

    private func months(_ life: Life, _ count: ClosedRange<Int>) -> Scene {
        { author in
            let days = 30 * author.chance.number(count)
            return .advance(to: author.store.now + author.store.days(days, life))
        }
    }

    /// The end of the commitment, or a millisecond beside it.
    private func toLast(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver,
                let end = author.store.commitmentEnd(of: life)
            else { return nil }
            return .advance(to: max(author.store.now, end + author.chance.pick([-1, 0, 0, 1])))
        }
    }

    /// So many days before the end of the commitment.
    private func before(_ life: Life, days: ClosedRange<Int>) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver,
                let end = author.store.commitmentEnd(of: life)
            else { return nil }
            let ahead = author.store.days(author.chance.number(days), life)
            return .advance(to: max(author.store.now, end - ahead))
        }
    }

    private func declines(_ life: Life) -> Scene {
        { _ in .bank(life.account, .declines(until: nil, left: nil)) }
    }

    private func choose(_ life: Life, _ plans: @escaping (Author, Life) -> [String]) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver,
                case let plans = plans(author, life), !plans.isEmpty
            else { return nil }
            let product = author.chance.pick(plans)
            let isMonthly = author.chance.happens(40)
            return author.chance.happens(50)
                ? .commitment(
                    .choose(
                        life.account, group: life.group, product: product,
                        isMonthly ? .monthly : .upFront))
                : isMonthly
                    ? .commitment(.buy(life.account, product, token: nil))
                    : .buy(life.account, product, quantity: 1, token: nil)
        }
    }

    private func all(_ author: Author, _ life: Life) -> [String] {
        author.store.shop.articles.map(\.id).filter { $0.hasPrefix(life.group) && $0.count == 2 }
    }

    private func again(_ life: Life) -> Scene {
        { author in
            let product = author.now(life)?.plan.product ?? life.plan.product
            return .commitment(.buy(life.account, product, token: nil))
        }
    }

    private func monthCosts(_ life: Life, _ percent: [Int]) -> Scene {
        { author in
            guard let life = author.now(life), life.plan.billing == .monthly else { return nil }
            let step = life.country.step
            let price = life.plan.price * author.chance.pick(percent) / 100 / step * step
            return .commitment(
                .schedule(
                    life.plan.product, life.country, max(step, price), at: author.store.now,
                    isPreserving: author.chance.happens(10)))
        }
    }

    private func extended(_ life: Life) -> Scene {
        { .extend(life.account, group: life.group, days: $0.chance.number(1...90)) }
    }

    // MARK: Plots

    /// Turned off it is owed to the twelfth month, and then it is over.
    private func cancelled(_ life: Life) -> [Scene] {
        [
            approves(life), maybe(60, months(life, 1...5)),
            { author in
                guard let life = author.now(life), author.chance.happens(30) else { return nil }
                return .askBack(receipt: life.receipt)
            },
            off(life), maybe(40, extended(life)), maybe(30, months(life, 1...3)), toLast(life),
            toEnd(life), maybe(50, again(life)),
        ]
    }

    /// TAB-2.3: another plan, and the same one paid at once, wait for the end of the commitment.
    private func waitsForTheEnd(_ life: Life) -> [Scene] {
        [
            approves(life), choose(life, all), maybe(30, months(life, 1...4)),
            maybe(25, choose(life, all)), maybe(25, again(life)),
            maybe(25, off(life)), maybe(30, declines(life)), toEnd(life), approves(life),
            toLast(life), toEnd(life), toEnd(life),
        ]
    }

    /// TAB-2.3, GRP-7: a better one, and one that is paid alike, end it now.
    private func leftAtOnce(_ life: Life) -> [Scene] {
        [
            approves(life), maybe(50, months(life, 1...6)), maybe(40, silent(life)),
            choose(life) { author, life in
                all(author, life).filter { author.level($0) <= author.level(life.plan.product) }
            },
            { author in
                author.now(life)?.invoice.map {
                    .answerBill($0, author.chance.pick([.paid, .declined]))
                }
            },
            approves(life), months(life, 1...2), toEnd(life),
        ]
    }

    /// GRA-7: a month fails, and is paid late, by hand, or never.
    private func failedMonth(_ life: Life) -> [Scene] {
        [
            declines(life), toEnd(life), maybe(40, off(life)), pass(life, days: 0...58),
            maybe(30, choose(life, all)),
            { author in
                .bank(
                    life.account,
                    author.chance.happens(40)
                        ? .declines(until: author.store.now + 1, left: nil) : .approves)
            },
            { author in .advance(to: author.store.now + 1) },
            maybe(30, again(life)), maybe(20, pass(life, days: 60...62)), approves(life),
            toLast(life), toEnd(life),
        ]
    }

    /// 0033: who buys in billing retry agrees to twelve months anew.
    private func boughtAnew(_ life: Life) -> [Scene] {
        [
            maybe(50, months(life, 1...8)), declines(life), toEnd(life), pass(life, days: 1...50),
            { author in
                .bank(life.account, .declines(until: author.store.now + 1, left: nil))
            },
            { author in .advance(to: author.store.now + 1) },
            again(life), maybe(30, off(life)), toLast(life), toEnd(life),
        ]
    }

    /// What fails there is the first month of the next commitment.
    private func lastMonthFails(_ life: Life) -> [Scene] {
        [
            approves(life), maybe(40, monthCosts(life, [105, 160])), before(life, days: 1...25),
            maybe(50, answers(life, agreesPercent: 80)), declines(life),
            toLast(life), toLast(life), maybe(30, off(life)), pass(life, days: 1...40),
            approves(life), toTold(life), toLast(life),
        ]
    }

    /// A refund of the month that runs ends it, and is taken back, or not.
    private func monthGivenBack(_ life: Life) -> [Scene] {
        func newest(_ command: @escaping (Int) -> PlayedCommand) -> Scene {
            { author in author.now(life).map { command($0.receipt) } }
        }
        return [
            approves(life), maybe(60, months(life, 1...4)),
            { author in
                guard let life = author.now(life) else { return nil }
                return .giveBack(receipt: life.receipt, fully: author.chance.happens(50))
            },
            maybe(40, pass(life, days: 1...40)), maybe(70, newest { .takeBack(receipt: $0) }),
            maybe(30, again(life)), toEnd(life), toLast(life), toEnd(life),
        ]
    }

    /// A month costs more from the next commitment on, or less from the next month on.
    private func dearerNextYear(_ life: Life) -> [Scene] {
        [
            approves(life), renews(life), maybe(30, before(life, days: 20...70)),
            monthCosts(life, [105, 120, 160, 300]), maybe(20, extended(life)),
            maybe(15, monthCosts(life, [50, 90, 110])), toTold(life), toTold(life),
            maybe(85, answers(life, agreesPercent: 90)), maybe(15, extended(life)),
            maybe(15, declines(life)), toLast(life), toLast(life), approves(life), toTold(life),
            maybe(50, answers(life, agreesPercent: 85)), toLast(life),
        ]
    }

    /// It is honoured to the end of the commitment.
    private mutating func soldNoMore(_ life: Life) -> [Scene] {
        func sold(_ isSold: Bool) -> Scene {
            { author in
                guard let monthly = author.store.shop.article(life.plan.product)?.monthly else {
                    return nil
                }
                return .commitment(
                    .set(life.plan.product, price: monthly.price, isSold: isSold))
            }
        }
        let isMonthly = chance.happens(60)
        func sells(_ isSold: Bool) -> Scene {
            isMonthly
                ? sold(isSold) : { _ in .sale(life.plan.product, nil, isForSale: isSold) }
        }
        return [
            approves(life), maybe(50, monthCosts(life, [105])), sells(false), toEnd(life),
            maybe(40, again(life)), maybe(30, declines(life)), toEnd(life), approves(life),
            toTold(life), maybe(30, sells(true)), toLast(life), toLast(life), sells(true),
        ]
    }

    /// OFF-3: redeemed inside it, months that are paid one by one come at once, what is free or
    /// paid up front when it is over.
    private func cheaperMonths(_ life: Life) -> [Scene] {
        [
            approves(life), renews(life),
            { author in
                let offers = author.monthlyOffers(life)
                guard !offers.isEmpty else { return nil }
                return .code(
                    .make(
                        CodeBatch(
                            product: life.plan.product, offer: author.chance.pick(offers),
                            isSandbox: life.account.isSandbox, custom: nil, count: 2, until: nil)))
            },
            maybe(30, monthCosts(life, [105, 160])),
            { author in
                let offers = author.monthlyOffers(life)
                let batch = author.store.batches.lastIndex {
                    $0.product == life.plan.product && offers.contains($0.offer)
                        && $0.isSandbox == life.account.isSandbox
                }
                guard let batch else { return nil }
                return .code(
                    .redeem(life.account, batch: batch, place: 0, isTyped: false, token: nil))
            },
            maybe(40, months(life, 1...6)), maybe(30, monthCosts(life, [90, 105, 160])),
            maybe(20, declines(life)), toEnd(life), maybe(30, again(life)), approves(life),
            toLast(life), toEnd(life), toTold(life), toLast(life),
        ]
    }

    private func monthlyOffers(_ life: Life) -> [String] {
        let offers = store.shop.article(life.plan.product)?.codeOffers ?? []
        return offers.filter { $0.billing == .monthly }.map { $0.discount.name! }
    }

    /// Nobody answers whether a month is paid.
    private func unansweredMonth(_ life: Life) -> [Scene] {
        [
            silent(life), toEnd(life), maybe(50, off(life)),
            maybe(30, monthCosts(life, [50, 105])),
            pass(life, days: 0...9), maybe(30, choose(life, all)),
            answer(life, [.paid, .paid, .declined, .voided]), maybe(50, approves(life)),
            toEnd(life), answer(life, [.paid, .declined]), approves(life), toLast(life),
        ]
    }
}
