import NaiveModel

/// What a world can be about besides what every world is about. Each theme is drawn by itself, so
/// that a world that has one has much of it, and the others have none.
///
/// One more: a case here with its numbers, a file of deeds as `CodeDeed`, one of what the author
/// makes of them as `Author+Codes`, and one in which the real store does them as `Player+Codes`.
public enum Theme: String, CaseIterable, Hashable, Sendable {
    case codes, availability, requests, families, commitments, merchants

    /// Of a hundred worlds, how many have it.
    var worlds: Int {
        switch self {
        case .codes: 40
        case .availability: 25
        case .requests: 30
        case .families: 40
        case .commitments: 35
        case .merchants: 40
        }
    }

    /// Of a hundred deeds of such a world, how many are about it.
    var deeds: Int {
        switch self {
        case .codes: 12
        case .availability: 6
        case .requests: 14
        case .families: 22
        case .commitments: 25
        case .merchants: 60
        }
    }

    /// - Parameter seed: worlds without what merchants describe are those that they were before
    ///   there was that theme.
    static func some(_ chance: inout Chance, seed: UInt64) -> [Theme] {
        let others = allCases.filter { $0 != .merchants && chance.happens($0.worlds) }
        var other = Chance(seed: seed ^ 0xACAC)
        return other.happens(Theme.merchants.worlds) ? others + [.merchants] : others
    }
}

extension Author {
    /// Something that one of the world's themes is about; mostly nothing.
    mutating func thematicDeed(_ name: Account.Name) -> PlayedCommand? {
        for theme in themes where chance.happens(isAboutThemes ? 90 : theme.deeds) {
            switch theme {
            case .codes: return codeDeed(name)
            case .availability: return availabilityDeed()
            case .requests: return requestDeed(name)
            case .families: return familyDeed(name)
            case .commitments: return commitmentDeed(name)
            case .merchants: return merchantDeed(name)
            }
        }
        return nil
    }
}
