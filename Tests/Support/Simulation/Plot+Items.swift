import NaiveModel

/// Short stories about what becomes of a merchant's items: others, and others again in the same
/// cycle, money that goes back, and what comes with the renewal.
extension Author {
    mutating func itemPlot(_ life: Life) -> [Scene] {
        let story =
            switch chance.number(1...13) {
            case 1...2: inTheCycle(life)
            case 3: newCycles(life)
            case 4: waits(life)
            case 5...6: givenBack(life)
            case 7: whileDearer(life)
            case 8: someComeBack(life)
            case 9: paidLate(life)
            case 10: underOtherNames(life)
            case 11: allRevoked(life)
            case 12: reversed(life)
            default: failing(life)
            }
        return [approves(life), renews(life)] + story
    }

    // MARK: Scenes

    private func still(
        _ life: Life, _ command: @escaping (inout Author, Life) -> PlayedCommand?
    ) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver else { return nil }
            return command(&author, life)
        }
    }

    private func changes(_ life: Life, keepsCycle: Bool? = nil) -> Scene {
        still(life) { $0.modify($1, keepsCycle: keepsCycle) }
    }

    private func claims(_ life: Life) -> Scene { still(life) { $0.claim($1) } }
    private func names(_ life: Life) -> Scene { still(life) { $0.describe($1) } }
    private func revokes(_ life: Life) -> Scene { still(life) { $0.revoke($1) } }
    private func comesBack(_ life: Life) -> Scene { still(life) { $0.reactivate($1) } }

    private func off(_ life: Life) -> Scene {
        { _ in .renewal(life.account, group: life.group, isOn: false) }
    }

    /// A part of what is left of the period.
    private func later(_ life: Life) -> Scene {
        still(life) { author, life in
            let left = life.end - author.store.now
            guard left > 0 else { return nil }
            return .advance(to: author.store.now + left * author.chance.number(0...90) / 100)
        }
    }

    /// What was asked for is decided, or time decides.
    private func decided(_ life: Life) -> Scene {
        { author in
            guard let asked = author.store.asked.last?.receipt else { return nil }
            switch author.chance.number(1...6) {
            case 1...3: return .grantBack(receipt: asked, fully: author.chance.happens(70))
            case 4: return .declineBack(receipt: asked)
            case 5: return .consume(receipt: asked, author.chance.pick([nil, .full]), used: nil)
            default: return .advance(to: author.store.now + NaiveCalendar.day / 2)
            }
        }
    }

    private func takenBack(_ life: Life) -> Scene {
        { author in
            author.store.receipts.lastIndex { $0.isRevoked && $0.isMerchants }
                .map { .takeBack(receipt: $0) }
        }
    }

    /// One of the payments for the running cycle goes back.
    private func givesOneBack(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life) else { return nil }
            let paying = Set(life.payments.values.map(\.receipt) + [life.receipt]).sorted()
            return .giveBack(
                receipt: author.chance.pick(paying), fully: author.chance.happens(70))
        }
    }

    /// One of the payments that went back is there again.
    private func takesOneBack(_ life: Life) -> Scene {
        { author in
            let given = author.store.receipts.indices.filter {
                let receipt = author.store.receipts[$0]
                return receipt.isRevoked && receipt.account == life.account
                    && receipt.group == life.group
            }
            return given.isEmpty ? nil : .takeBack(receipt: author.chance.pick(given))
        }
    }

    // MARK: Plots

    /// ACM-4: what comes and goes in one cycle, and is extended and renewed.
    private func inTheCycle(_ life: Life) -> [Scene] {
        [
            later(life), changes(life, keepsCycle: true), later(life),
            changes(life, keepsCycle: true), maybe(30, changes(life)),
            maybe(25, { .extend(life.account, group: life.group, days: $0.chance.number(1...40)) }),
            later(life), maybe(50, changes(life)), toEnd(life), toEnd(life),
        ]
    }

    private func newCycles(_ life: Life) -> [Scene] {
        [
            later(life), maybe(50, changes(life, keepsCycle: true)), later(life),
            changes(life, keepsCycle: false), later(life), changes(life, keepsCycle: false),
            toEnd(life),
        ]
    }

    private func waits(_ life: Life) -> [Scene] {
        [
            changes(life, keepsCycle: true), maybe(50, changes(life, keepsCycle: true)),
            maybe(40, prices(life, [90, 105, 150, 300])), maybe(30, off(life)),
            maybe(40, comesBack(life)), maybe(40, toTold(life)), toEnd(life),
            maybe(50, toTold(life)), maybe(40, answers(life, agreesPercent: 60)), toEnd(life),
        ]
    }

    /// ACM-7: some of it goes back, and then more of it.
    private func givenBack(_ life: Life) -> [Scene] {
        [
            later(life), maybe(70, changes(life, keepsCycle: true)), later(life), claims(life),
            maybe(60, decided(life)), claims(life), maybe(50, changes(life)),
            maybe(40, claims(life)),
            maybe(
                30,
                { author in
                    author.now(life).map { .giveBack(receipt: $0.receipt, fully: false) }
                }),
            maybe(40, takenBack(life)), toEnd(life), maybe(50, claims(life)), toEnd(life),
        ]
    }

    /// ACS-4 to ACS-7: items change while they are to get dearer.
    private func whileDearer(_ life: Life) -> [Scene] {
        [
            prices(life, [105, 300, 300]), maybe(70, toTold(life)),
            maybe(40, answers(life, agreesPercent: 50)), changes(life),
            maybe(50, prices(life, [90, 105, 300])), toTold(life),
            maybe(50, answers(life, agreesPercent: 60)), maybe(40, changes(life)),
            maybe(30, comesBack(life)), toEnd(life), toTold(life), toEnd(life),
        ]
    }

    /// ACS-5: renewal is off, and comes back for some.
    private func someComeBack(_ life: Life) -> [Scene] {
        [
            maybe(60, prices(life, [105, 300])), maybe(50, toTold(life)), off(life),
            maybe(30, later(life)), comesBack(life), maybe(30, changes(life, keepsCycle: true)),
            maybe(30, claims(life)), maybe(30, comesBack(life)), toEnd(life), toEnd(life),
        ]
    }

    /// A change is paid later: in time, when the period ends, or never.
    private func paidLate(_ life: Life) -> [Scene] {
        [
            later(life),
            still(life) { author, life in
                let left = max(life.end - author.store.now, 1)
                let span = author.chance.pick([left, left, left - 1, left / 2, 1000])
                return .bank(
                    life.account,
                    .answersLater(
                        after: author.chance.happens(60) ? max(span, 1) : nil,
                        pays: author.chance.happens(80)))
            },
            // What is waited for is given up after a day.
            still(life) { author, life in
                let target = life.end - author.chance.number(1...23) * NaiveCalendar.hour
                guard target > author.store.now, author.chance.happens(60) else { return nil }
                return .advance(to: target)
            },
            still(life) { author, life in
                let left = max(life.end - author.store.now, 1)
                return .bank(life.account, .answersLater(after: left, pays: true))
            },
            changes(life), maybe(40, changes(life)), maybe(30, claims(life)),
            maybe(20, names(life)),
            maybe(30, answer(life, [.paid, .paid, .declined, .voided])), toEnd(life),
            answer(life, [.paid, .paid, .declined]), approves(life), toEnd(life),
        ]
    }

    /// ACM-5, ACS-8: other names, while money is asked back and prices rise.
    private func underOtherNames(_ life: Life) -> [Scene] {
        [
            maybe(50, prices(life, [105, 300])), maybe(40, toTold(life)),
            maybe(40, changes(life, keepsCycle: true)), maybe(40, claims(life)), names(life),
            maybe(50, names(life)), maybe(40, prices(life, [90, 105, 300])),
            maybe(40, answers(life, agreesPercent: 40)),
            maybe(50, decided(life)), maybe(60, changes(life)), maybe(40, claims(life)),
            toEnd(life),
            maybe(50, names(life)), toEnd(life),
        ]
    }

    /// ACM-7, REF-9: payments for one cycle go back and come back, in any order.
    private func reversed(_ life: Life) -> [Scene] {
        [
            maybe(30, prices(life, [105, 300])), later(life), changes(life, keepsCycle: true),
            maybe(40, claims(life)), maybe(60, changes(life, keepsCycle: true)), later(life),
            maybe(25, revokes(life)), givesOneBack(life), maybe(40, givesOneBack(life)),
            maybe(30, changes(life)), maybe(20, names(life)), later(life), takesOneBack(life),
            maybe(50, takesOneBack(life)), maybe(30, comesBack(life)),
            maybe(30, givesOneBack(life)), maybe(40, changes(life)),
            maybe(40, takesOneBack(life)), toEnd(life), maybe(30, takesOneBack(life)),
            toEnd(life),
        ]
    }

    private func allRevoked(_ life: Life) -> [Scene] {
        [
            later(life), changes(life, keepsCycle: true), maybe(50, claims(life)), later(life),
            maybe(50, changes(life, keepsCycle: true)), later(life), revokes(life),
            maybe(40, changes(life)), maybe(30, comesBack(life)), decided(life),
            maybe(30, takenBack(life)), maybe(30, takenBack(life)), toEnd(life),
            { author in
                guard author.now(life)?.isOver == true else { return nil }
                return author.create(life.account)
            },
        ]
    }

    /// A renewal fails, or has no answer, with items that were to come or to go.
    private func failing(_ life: Life) -> [Scene] {
        [
            maybe(60, changes(life, keepsCycle: true)), maybe(40, prices(life, [105, 300, 300])),
            toTold(life),
            { author in
                .bank(
                    life.account,
                    author.chance.happens(60)
                        ? .declines(until: nil, left: nil) : .answersLater(after: nil, pays: true))
            },
            toEnd(life), maybe(30, changes(life)), maybe(40, claims(life)), maybe(30, names(life)),
            maybe(20, revokes(life)), pass(life, days: 0...20), maybe(30, comesBack(life)),
            approves(life), maybe(50, claims(life)), toEnd(life), toEnd(life),
        ]
    }
}
