import NaiveModel

/// Short stories about bills that are answered late, at the moments at which waiting ends.
extension Author {
    mutating func billPlot(_ life: Life) -> [Scene] {
        switch chance.number(1...9) {
        case 1: answerAtTheEndOfAccess(life)
        case 2: answerAfterADay(life)
        case 3: answerOnDaySixty(life)
        case 4: changeAnsweredAtTheEnd(life)
        case 5: twoAnswersAtOnce(life)
        case 6: waitingDisturbed(life)
        case 7: takenBackAndAgain(life)
        case 8: priceMeanwhile(life)
        default: recoveryPending(life)
        }
    }

    // MARK: Scenes

    /// A bank that answers after a span that depends on how the life stands by then.
    private func later(
        _ life: Life, paidPercent: Int, after: @escaping (NaiveStore, Life) -> Int?
    ) -> Scene {
        { author in
            guard let life = author.store.life(life.account, in: life.group),
                let span = after(author.store, life)
            else { return nil }
            let beside = author.chance.pick([-1, 0, 0, 0, 1])
            return .bank(
                life.account,
                .answersLater(
                    after: min(max(span + beside, 1), 366 * NaiveCalendar.day),
                    pays: author.chance.happens(paidPercent)))
        }
    }

    private func toNext(_ life: Life) -> Scene {
        { author in
            guard let life = author.store.life(life.account, in: life.group) else { return nil }
            let moments =
                author.store.landmarks(of: life)
                + [life.invoice].compactMap {
                    $0.flatMap { author.store.invoices[$0].answersAt }
                }
            guard let next = moments.filter({ $0 > author.store.now }).min() else { return nil }
            return .advance(to: max(author.store.now, next + author.chance.pick([-1, 0, 0, 1])))
        }
    }

    func answer(_ life: Life, _ answers: [Invoice.Answer]) -> Scene {
        { author in
            guard let life = author.store.life(life.account, in: life.group),
                let number = life.invoice
            else { return nil }
            return .answerBill(number, author.chance.pick(answers))
        }
    }

    func another(_ life: Life) -> Scene {
        { author in
            let plans = author.store.shop.articles.map(\.id).filter {
                $0.hasPrefix(life.group) && $0 != life.plan.product
            }
            // Mostly one that is better, and so holds at once.
            let better = plans.filter { author.level($0) < author.level(life.plan.product) }
            let product =
                !better.isEmpty && author.chance.happens(75)
                ? author.chance.pick(better)
                : plans.isEmpty ? life.plan.product : author.chance.pick(plans)
            return .buy(
                life.account, product, quantity: 1,
                token: author.chance.happens(20)
                    ? "00000000-0000-4000-8000-000000000011" : nil)
        }
    }

    private func reprice(_ product: @escaping (Author) -> String?, _ life: Life) -> Scene {
        { author in
            guard let product = product(author) else { return nil }
            let (old, step) = (
                author.store.price(of: product, in: life.country), life.country.step
            )
            let percent = author.chance.pick([50, 80, 110, 160])
            return .schedule(
                product, life.country, max(1, old * percent / 100 / step) * step,
                at: author.store.now, isPreserving: author.chance.happens(20))
        }
    }

    func level(_ product: String) -> Int {
        guard
            case .plan(_, let level, _, _)? = store.shop.articles.first(where: {
                $0.id == product
            })?.kind
        else { return .max }
        return level
    }

    // MARK: Plots

    /// A renewal is answered at the very moment at which access ends.
    private func answerAtTheEndOfAccess(_ life: Life) -> [Scene] {
        [
            later(life, paidPercent: 60) { $0.patience(of: $1) - $1.end },
            toEnd(life), toNext(life), toNext(life), toNext(life),
        ]
    }

    /// What a customer asks for is answered a day later, when it is given up.
    private func answerAfterADay(_ life: Life) -> [Scene] {
        [
            later(life, paidPercent: 80) { _, _ in NaiveCalendar.day },
            another(life),
            { author in
                .buy(
                    life.account, author.chance.pick(["coins", "forever", "season"]),
                    quantity: 1, token: nil)
            },
            { author in
                .advance(to: author.store.now + NaiveCalendar.day + author.chance.pick([-1, 0, 1]))
            },
            { author in .advance(to: author.store.now + 1) },
        ]
    }

    /// A renewal is answered on the last day of retry.
    private func answerOnDaySixty(_ life: Life) -> [Scene] {
        [
            later(life, paidPercent: 60) { store, life in
                life.account.isSandbox ? 2 * store.days(30, life) : 60 * NaiveCalendar.day
            },
            toEnd(life), toNext(life), toNext(life),
            { author in
                guard let life = author.store.life(life.account, in: life.group),
                    case .retry = life.phase
                else { return nil }
                let last = life.failed + life.retryLasts + author.chance.pick([-1, 0, 0, 1])
                return .advance(to: max(last, author.store.now))
            },
            toNext(life),
        ]
    }

    /// Another plan is chosen within the last day, and answered when the period ends.
    private func changeAnsweredAtTheEnd(_ life: Life) -> [Scene] {
        [
            { author in
                guard let life = author.store.life(life.account, in: life.group) else {
                    return nil
                }
                let ahead = author.chance.number(1...(23 * 60)) * NaiveCalendar.minute
                return .advance(to: max(author.store.now, life.end - ahead))
            },
            later(life, paidPercent: 80) { store, life in
                life.end > store.now ? life.end - store.now : nil
            },
            another(life),
            { author in
                author.chance.happens(30)
                    ? .askBack(receipt: author.store.life(life.account, in: life.group)!.receipt)
                    : nil
            },
            toEnd(life), toNext(life),
        ]
    }

    /// Two bills of one customer are answered at one moment, and maybe a third by the operator.
    private func twoAnswersAtOnce(_ life: Life) -> [Scene] {
        let span = life.account.isSandbox ? NaiveCalendar.minute : 3 * NaiveCalendar.hour
        return [
            toEnd(life),
            { author in
                .bank(
                    life.account,
                    .answersLater(after: span, pays: author.chance.happens(70)))
            },
            another(life),
            { _ in .buy(life.account, "coins", quantity: 2, token: nil) },
            { _ in .buy(life.account, "forever", quantity: 1, token: nil) },
            { _ in .buy(life.account, "forever", quantity: 1, token: nil) },
            { author in .advance(to: author.store.now + span - author.chance.number(0...1)) },
            { author in .answerBill(author.store.invoices.count - 1, .paid) },
            { author in .answerBill(author.store.invoices.count - 2, .paid) },
        ]
    }

    /// A renewal is awaited, and everything else happens meanwhile.
    private func waitingDisturbed(_ life: Life) -> [Scene] {
        [
            silent(life), toEnd(life),
            { author in
                let (name, group) = (life.account, life.group)
                let span = author.chance.number(0...9) * author.store.days(1, life)
                switch author.chance.number(1...9) {
                case 1: return .renewal(name, group: group, isOn: false)
                case 2: return .bank(name, .approves)
                case 3: return .bank(name, .answersLater(after: max(span, 1), pays: true))
                case 4: return another(life)(&author)
                case 5: return .extend(name, group: group, days: 5)
                case 6: return .end(name, group: group)
                case 7 where name.isSandbox:
                    return .speed(name, minutes: author.chance.pick([3, 5, 15, 30, 60]))
                case 8:
                    return author.store.life(name, in: group).map {
                        .giveBack(receipt: $0.receipt, fully: true)
                    }
                default: return .advance(to: author.store.now + span)
                }
            },
            { author in author.chance.happens(50) ? toNext(life)(&author) : nil },
            answer(life, [.paid, .paid, .declined, .voided, .pending]),
            answer(life, [.paid, .declined]),
            { author in .answerBill(author.store.invoices.count - 1, .paid) },
        ]
    }

    /// The bank takes a payment back and gives it again, while the next bill is pending.
    private func takenBackAndAgain(_ life: Life) -> [Scene] {
        func said(_ answer: Invoice.Answer) -> Scene {
            { author in
                guard let life = author.store.life(life.account, in: life.group) else {
                    return nil
                }
                return .answerBill(author.store.receipts[life.receipt].invoice, answer)
            }
        }
        return [
            said(.reversed), silent(life), another(life),
            { author in author.chance.happens(60) ? said(.restored)(&author) : nil },
            { author in author.chance.happens(30) ? toNext(life)(&author) : nil },
            answer(life, [.paid, .paid, .declined]), said(.reversed), said(.restored),
        ]
    }

    /// A price falls or rises while a bill is pending, one that was chosen or that of a renewal.
    private func priceMeanwhile(_ life: Life) -> [Scene] {
        let isRenewal = life.number % 2 == 0
        let awaited: (Author) -> String? = { author in
            guard let life = author.store.life(life.account, in: life.group) else { return nil }
            return life.invoice.map { author.store.invoices[$0].product }
        }
        return [
            { author in
                author.chance.happens(40)
                    ? reprice({ _ in life.plan.product }, life)(&author) : nil
            },
            silent(life), isRenewal ? toEnd(life) : another(life),
            reprice(awaited, life), reprice(awaited, life),
            { author in author.chance.happens(50) ? toNext(life)(&author) : nil },
            answer(life, [.paid, .paid, .paid, .declined, .voided]),
            toEnd(life), answer(life, [.paid]), toNext(life),
        ]
    }

    /// A renewal fails, and the next try has no answer.
    private func recoveryPending(_ life: Life) -> [Scene] {
        [
            { _ in .bank(life.account, .declines(until: nil, left: nil)) }, toEnd(life),
            later(life, paidPercent: 50) { store, life in
                if case .grace(let until) = life.phase { return until - store.now }
                return life.failed + life.retryLasts - store.now
            },
            { author in author.chance.happens(40) ? another(life)(&author) : nil },
            toNext(life), toNext(life),
            answer(life, [.paid, .declined, .voided]), toNext(life),
        ]
    }
}
