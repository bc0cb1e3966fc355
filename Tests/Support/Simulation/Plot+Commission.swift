import NaiveModel

/// A short story about what developers gain in a year.
extension Author {
    /// COM-5: about a million dollars are gained in a year, some goes back, and the year ends.
    mutating func aroundTheLimit(_ life: Life) -> [Scene] {
        let (dollars, steps) = (Scenario.countries[0], chance.number(25_000_000...65_000_000))
        func coins(_ most: Int) -> Scene {
            { author in
                .buy(life.account, "coins", quantity: author.chance.number(1...most), token: nil)
            }
        }
        func newest(_ command: @escaping (Int) -> PlayedCommand) -> Scene {
            { author in
                author.store.receipts.isEmpty ? nil : command(author.store.receipts.count - 1)
            }
        }
        return [
            { author in
                var terms = author.store.shop.terms
                (terms.isSmallBusiness, terms.heedsLimit) = (true, author.chance.happens(85))
                return .terms(terms)
            },
            { _ in .move(life.account, dollars) },
            { _ in .price("coins", dollars, steps * dollars.step) },
            approves(life), coins(3), coins(2), coins(1),
            maybe(60, newest { .giveBack(receipt: $0, fully: true) }), coins(1),
            maybe(30, newest { .giveBack(receipt: $0, fully: true) }),
            maybe(40, another(life)), maybe(30, newest { .takeBack(receipt: $0) }),
            { _ in .price("coins", dollars, 299 * dollars.step) },
            maybe(50, toNewYear), coins(2), maybe(50, toEnd(life)), coins(1),
            maybe(40, toNewYear), coins(1),
        ]
    }

    private var toNewYear: Scene {
        { author in
            let next = NaiveCalendar.utc(NaiveCalendar.year(of: author.store.now) + 1, 1, 1)
            return .advance(to: next + author.chance.pick([-1, 0, 1]))
        }
    }
}
