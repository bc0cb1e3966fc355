import NaiveModel

/// Short stories about subscriptions of a merchant's own items.
extension Author {
    mutating func merchantPlot(_ life: Life) -> [Scene] {
        guard chance.happens(35) else { return itemPlot(life) }
        let story =
            switch chance.number(1...9) {
            case 1...3: askedForItems(life)
            case 4: changedMinds(life)
            case 5: aDayBefore(life)
            case 6: failsWithPrices(life)
            case 7: silentBank(life)
            case 8: insideOffers(life)
            default: offAndOn(life)
            }
        return [approves(life), renews(life)] + story
    }

    func prices(_ life: Life, _ percents: [Int]) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver else { return nil }
            return author.newPrices(life, percents)
        }
    }

    /// ACS-1 to ACS-3: some items are told, some asked; those without consent end.
    private func askedForItems(_ life: Life) -> [Scene] {
        [
            prices(life, [105, 300, 300]), maybe(30, prices(life, [105, 300])),
            toTold(life), maybe(40, answers(life, agreesPercent: 60)), toTold(life),
            maybe(40, answers(life, agreesPercent: 60)), toEnd(life), toEnd(life), toEnd(life),
        ]
    }

    private func changedMinds(_ life: Life) -> [Scene] {
        [
            prices(life, [300]), toTold(life), answers(life, agreesPercent: 10),
            maybe(40, prices(life, [300])), maybe(40, toTold(life)),
            maybe(50, answers(life, agreesPercent: 50)),
            maybe(40, answers(life, agreesPercent: 90)), toEnd(life), toEnd(life),
        ]
    }

    /// ACP-2: a call a day before the renewal, and a millisecond beside that.
    private func aDayBefore(_ life: Life) -> [Scene] {
        [
            { author in
                guard let life = author.now(life) else { return nil }
                let moment =
                    life.end - author.store.days(1, life) + author.chance.pick([-1, 0, 0, 1])
                return moment < author.store.now ? nil : .advance(to: moment)
            },
            prices(life, [50, 90, 120, 300]), toEnd(life), maybe(30, prices(life, [80, 200])),
            toEnd(life),
        ]
    }

    /// INC-7: a renewal fails, with items that were to end, and to get dearer.
    private func failsWithPrices(_ life: Life) -> [Scene] {
        [
            prices(life, [90, 105, 300, 300]), toTold(life),
            maybe(30, answers(life, agreesPercent: 50)),
            { _ in .bank(life.account, .declines(until: nil, left: nil)) },
            toEnd(life), maybe(30, prices(life, [80, 105, 300])), pass(life, days: 0...25),
            approves(life), toTold(life), toEnd(life), toEnd(life),
        ]
    }

    /// A renewal has no answer while items were to end.
    private func silentBank(_ life: Life) -> [Scene] {
        [
            prices(life, [90, 105, 300, 300]), toTold(life),
            maybe(30, answers(life, agreesPercent: 50)), silent(life), toEnd(life),
            maybe(30, prices(life, [80, 105, 300])), maybe(50, pass(life, days: 0...9)),
            { author in
                guard let number = author.now(life)?.invoice else { return nil }
                return .answerBill(number, author.chance.pick([.paid, .paid, .declined, .voided]))
            },
            approves(life), toEnd(life), toEnd(life),
        ]
    }

    /// Prices change while offers run.
    private func insideOffers(_ life: Life) -> [Scene] {
        [
            { author in
                guard let life = author.now(life), !life.isOver, !life.plan.hasDiscount else {
                    return nil
                }
                return .end(life.account, group: life.group)
            },
            { author in
                guard author.now(life)?.isOver == true else { return nil }
                return author.create(life.account)
            },
            prices(life, [50, 105, 200]), toEnd(life), prices(life, [90, 105, 300]),
            toEnd(life), toTold(life), toEnd(life),
        ]
    }

    private func offAndOn(_ life: Life) -> [Scene] {
        [
            prices(life, [90, 105, 300]), maybe(60, toTold(life)),
            { _ in .renewal(life.account, group: life.group, isOn: false) },
            maybe(40, prices(life, [90, 105])), maybe(50, pass(life, days: 0...10)),
            { _ in .renewal(life.account, group: life.group, isOn: true) },
            toTold(life), toEnd(life), toEnd(life),
        ]
    }
}

extension HeldPlan {
    fileprivate var hasDiscount: Bool { lines.contains { $0.offer != nil } }
}
