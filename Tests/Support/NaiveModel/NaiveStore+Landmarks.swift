extension NaiveStore {
    /// Moments ahead of which a rule decides otherwise than behind them, for those who want to
    /// stand right there.
    public var landmarks: [Int] {
        (lives.flatMap(landmarks(of:)) + open.flatMap(landmarks(ofInvoice:))
            + batches.compactMap(\.until)
            + requests.compactMap(\.moment)).filter { $0 > now }
    }

    private func landmarks(ofInvoice number: Int) -> [Int] {
        [invoices[number].answersAt, invoices[number].givenUpAt].compactMap { $0 }
    }

    /// The moments of one life at which a rule turns.
    public func landmarks(of life: Life) -> [Int] {
        var moments = [life.end] + [life.isOver ? nil : commitmentEnd(of: life)].compactMap(\.self)
        switch life.phase {
        case .running, .revoked: break
        case .awaiting(let until): moments.append(until)
        case .grace(let until): moments += [until, life.failed + life.retryLasts]
        case .retry: moments.append(life.failed + life.retryLasts)
        case .over: moments.append(min(life.endedAt, life.end) + longestLapse(life))
        }
        moments.append(min(life.end, life.revokedAt ?? life.end) + longestLapse(life))
        moments += life.extensions.map { $0 + year(of: life) }
        for line in life.plan.lines {
            let increase = life.increases[line.sku]
            moments += [increase?.told, increase?.renewal].compactMap { $0 }
            if let last = life.lastIncreases[line.sku] { moments.append(yearAfter(last, of: life)) }
        }
        return moments
    }

    /// How long a lapse may be that is ignored (EXP-7).
    public func longestLapse(_ life: Life) -> Int {
        life.account.isSandbox ? 10 * NaiveCalendar.minute : 60 * NaiveCalendar.day
    }

    /// The 365 days in which extensions count (EXT-2).
    public func year(of life: Life) -> Int {
        life.account.isSandbox
            ? accounts[life.account]!.sandboxLength(.months(12)) : 365 * NaiveCalendar.day
    }

    /// Twelve months after an increase was charged (THR-1 c).
    public func yearAfter(_ moment: Int, of life: Life) -> Int {
        life.account.isSandbox
            ? moment + accounts[life.account]!.sandboxLength(.months(12))
            : NaiveCalendar.adding(months: 12, to: moment, isPacific: shop.terms.isPacific)
    }
}
