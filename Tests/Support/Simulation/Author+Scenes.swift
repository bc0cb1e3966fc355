import NaiveModel

/// Scenes of which plots are made.
extension Author {
    /// The same life as it stands by then.
    func now(_ life: Life) -> Life? { store.life(life.account, in: life.group) }

    func approves(_ life: Life) -> Scene { { _ in .bank(life.account, .approves) } }

    func silent(_ life: Life) -> Scene {
        { _ in .bank(life.account, .answersLater(after: nil, pays: true)) }
    }

    func pass(_ life: Life, days: ClosedRange<Int>) -> Scene {
        { author in
            let days = author.chance.number(days)
            return .advance(to: author.store.now + author.store.days(days, life))
        }
    }

    func renews(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver, !life.renews else { return nil }
            return .renewal(life.account, group: life.group, isOn: true)
        }
    }

    func toTold(_ life: Life) -> Scene {
        { author in
            guard let told = author.now(life)?.told else { return nil }
            return .advance(to: max(author.store.now, told + author.chance.pick([-1, 0, 0, 1])))
        }
    }

    func toEnd(_ life: Life) -> Scene {
        { author in
            author.now(life).map { .advance(to: max($0.end, author.store.now)) }
        }
    }

    func answers(_ life: Life, agreesPercent: Int) -> Scene {
        { author in
            .answer(
                life.account, group: life.group,
                agrees: author.chance.happens(agreesPercent))
        }
    }

    func maybe(_ percent: Int, _ scene: @escaping Scene) -> Scene {
        { author in author.chance.happens(percent) ? scene(&author) : nil }
    }
}
