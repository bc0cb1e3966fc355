import NaiveModel

/// Short stories about subscriptions of several lines.
extension Author {
    mutating func linePlot(_ life: Life) -> [Scene] {
        let story =
            switch chance.number(1...11) {
            case 1...2: twoRises(life)
            case 3: changedMind(life)
            case 4: rememberedRise(life)
            case 5: discountsBesideEachOther(life)
            case 6: fallsWhilePending(life)
            case 7...8: dearerAfterAnOffer(life)
            case 9...10: risesAlike(life)
            default: partsBack(life)
            }
        return [approves(life), several(life)] + story
    }

    // MARK: Scenes

    /// The subscription gets two lines at least.
    private func several(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver, life.plan.lines.count < 2 else {
                return nil
            }
            return .bundle(
                life.account, life.plan.product,
                author.lines(
                    author.chance.number(2...3), of: life.plan.product, in: life.country),
                token: nil)
        }
    }

    /// A line gets dearer or cheaper.
    private func reprice(_ life: Life, line: Int, _ percent: [Int]) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver else { return nil }
            let lines = life.plan.lines
            return author.reprice(life, lines[line % lines.count].sku, percent)
        }
    }

    private func other(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver else { return nil }
            return author.otherLines(life)
        }
    }

    // MARK: Plots

    /// Two lines rise, each on its own day, one by notice and one by consent or both alike.
    private func twoRises(_ life: Life) -> [Scene] {
        [
            reprice(life, line: 0, [105, 300]),
            maybe(70, pass(life, days: 0...20)),
            reprice(life, line: 1, [105, 300]),
            toTold(life), maybe(50, answers(life, agreesPercent: 80)),
            toTold(life), maybe(60, answers(life, agreesPercent: 85)),
            toEnd(life), toTold(life), maybe(60, answers(life, agreesPercent: 90)),
            toEnd(life), toEnd(life),
        ]
    }

    /// Two lines rise alike at one moment, so that their day is the same.
    private func risesAlike(_ life: Life) -> [Scene] {
        [
            renews(life), reprice(life, line: 0, [105, 300]), reprice(life, line: 1, [105, 300]),
            toTold(life), toTold(life), maybe(70, answers(life, agreesPercent: 80)), toEnd(life),
            toEnd(life),
        ]
    }

    /// PRO-2, INC-6: what is to get dearer comes cheaper before that.
    private func dearerAfterAnOffer(_ life: Life) -> [Scene] {
        [
            renews(life), reprice(life, line: 0, [105, 160, 300]),
            maybe(50, reprice(life, line: 1, [105, 300])), maybe(40, toTold(life)),
            maybe(30, pass(life, days: 0...15)),
            { author in
                guard let life = author.now(life), !life.isOver else { return nil }
                return author.offers(of: life)
            },
            maybe(30, answers(life, agreesPercent: 80)), toEnd(life), toEnd(life), toTold(life),
            maybe(60, answers(life, agreesPercent: 85)), toEnd(life), toEnd(life),
        ]
    }

    /// What was asked is declined and agreed to again, while another line is on its way.
    private func changedMind(_ life: Life) -> [Scene] {
        [
            reprice(life, line: 0, [300]), maybe(50, pass(life, days: 0...10)),
            reprice(life, line: 1, [105, 300]), toTold(life),
            answers(life, agreesPercent: 10), maybe(40, toTold(life)),
            maybe(30, reprice(life, line: 1, [105, 50])),
            answers(life, agreesPercent: 90), toTold(life), toEnd(life), toTold(life), toEnd(life),
        ]
    }

    /// THR-1 c: a line that stays through a change of lines remembers when it was raised.
    private func rememberedRise(_ life: Life) -> [Scene] {
        [
            reprice(life, line: 0, [105, 120]), toTold(life), toEnd(life), toEnd(life),
            maybe(70, other(life)), maybe(30, pass(life, days: 1...20)),
            reprice(life, line: 0, [105]), reprice(life, line: 1, [105]),
            toTold(life), maybe(50, answers(life, agreesPercent: 100)), toEnd(life),
        ]
    }

    /// Discounts run beside each other, through a failure and a purchase by hand.
    private func discountsBesideEachOther(_ life: Life) -> [Scene] {
        [
            { author in
                guard let life = author.now(life), !life.isOver else { return nil }
                return .bundle(
                    life.account, life.plan.product,
                    author.lines(3, of: life.plan.product, in: life.country), token: nil)
            },
            maybe(50, reprice(life, line: 0, [105, 300])),
            toEnd(life),
            { _ in .bank(life.account, .declines(until: nil, left: nil)) },
            toEnd(life), pass(life, days: 1...30),
            { author in
                .bank(life.account, .declines(until: author.store.now + 1, left: nil))
            },
            { author in .advance(to: author.store.now + 1) },
            { author in
                guard let life = author.now(life), !life.isOver else { return nil }
                let same = life.plan.lines.map { HeldLine(sku: $0.sku, price: $0.price) }
                return .bundle(life.account, life.plan.product, same, token: nil)
            },
            approves(life), toEnd(life),
        ]
    }

    /// Prices fall and rise while a bill for several lines has no answer.
    private func fallsWhilePending(_ life: Life) -> [Scene] {
        [
            maybe(50, reprice(life, line: 1, [105])),
            maybe(50, toTold(life)),
            { _ in .bank(life.account, .answersLater(after: nil, pays: true)) },
            toEnd(life), maybe(20, other(life)),
            reprice(life, line: 0, [50, 90]), reprice(life, line: 1, [50, 90, 105, 300]),
            maybe(30, reprice(life, line: 0, [105, 200])), maybe(30, pass(life, days: 0...9)),
            { author in
                guard let number = author.now(life)?.invoice else { return nil }
                return .answerBill(
                    number, author.chance.pick([.paid, .paid, .paid, .declined, .voided]))
            },
            toTold(life), approves(life), toEnd(life),
        ]
    }

    /// Parts of a price go back, and come again.
    private func partsBack(_ life: Life) -> [Scene] {
        func newest(_ command: @escaping (Int) -> PlayedCommand) -> Scene {
            { author in author.now(life).map { command($0.receipt) } }
        }
        return [
            pass(life, days: 0...25), maybe(40, other(life)), maybe(40, pass(life, days: 1...5)),
            newest { .giveBack(receipt: $0, fully: false) },
            maybe(70, newest { .takeBack(receipt: $0) }),
            maybe(50, newest { .giveBack(receipt: $0, fully: true) }),
            maybe(50, newest { .takeBack(receipt: $0) }),
        ]
    }
}
