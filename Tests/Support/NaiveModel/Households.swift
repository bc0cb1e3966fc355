/// A family: who organises it, and the others in the order of their places (FAM-1).
public struct Household: Hashable, Sendable {
    public internal(set) var isSandbox: Bool
    /// The organiser has the first place; a place that somebody left is the next one's.
    var places: [Account.Name?]
    public internal(set) var isEnded = false

    /// Who is in it, in the order of their places.
    public var members: [Account.Name] { isEnded ? [] : places.compactMap(\.self) }

    static let most = 6
}

/// Something that one bought and a family may share.
public enum Shareable: Hashable, Sendable {
    /// The place of a life, or of the receipt of what is bought once.
    case life(Int)
    case once(Int)
}

/// What a member has of something that another one bought (FAM-2).
public struct Share: Hashable, Sendable {
    public internal(set) var source: Shareable
    public internal(set) var member: Account.Name
    public internal(set) var group: String?
    /// Whether it goes on.
    public internal(set) var isOpen = true
    /// Why the subscription was over when it ended, if it was.
    var intent: Int?
    /// The place of the newest of its handed-on receipts, and when the first one was got.
    public internal(set) var newest: Int
    public internal(set) var first: Int
}

/// A receipt of a member's own, of what another one bought: it costs nothing.
public struct HandedOn: Hashable, Sendable {
    public internal(set) var member: Account.Name
    /// The place of its share, and of the purchaser's receipt.
    public internal(set) var share: Int
    public internal(set) var receipt: Int
    public internal(set) var product: String
    public internal(set) var purchased: Int
    public internal(set) var until: Int?
    public internal(set) var currency: String
    public internal(set) var offer: String?
    public internal(set) var isRenewal: Bool
    public internal(set) var billing: Billing
    public internal(set) var isUpgraded = false
    public internal(set) var revoked: Int?
    /// Whether a refund took it, which can be taken back.
    var isRefunded = false
}

extension NaiveStore {
    func household(of name: Account.Name) -> Int? {
        households.firstIndex { $0.members.contains(name) }
    }

    /// Who shares with somebody, in the order of their places.
    func others(of name: Account.Name) -> [Account.Name] {
        household(of: name).map { households[$0].members.filter { $0 != name } } ?? []
    }

    /// A family begins.
    public mutating func found(by organiser: Account.Name, with others: [Account.Name]) -> Outcome {
        let all = [organiser] + others
        for (place, name) in all.enumerated() {
            guard household(of: name) == nil, !all[..<place].contains(name) else {
                return .inFamily
            }
            guard place < Household.most else { return .familyIsFull }
        }
        note("family founded")
        (seenLives, seenReceipts) = (lives, receipts)
        households.append(Household(isSandbox: organiser.isSandbox, places: [organiser]))
        for other in others { enter(households.count - 1, other) }
        return .done
    }

    /// Somebody comes into a family, and shares and is shared with from now on.
    public mutating func join(_ number: Int, _ name: Account.Name) -> Outcome {
        guard !households[number].isEnded else { return .unknownFamily }
        guard household(of: name) == nil else { return .inFamily }
        guard households[number].members.count < Household.most else {
            note("family is full")
            return .familyIsFull
        }
        note("joined a family")
        enter(number, name)
        return .done
    }

    private mutating func enter(_ number: Int, _ name: Account.Name) {
        if let free = households[number].places.firstIndex(of: nil) {
            households[number].places[free] = name
        } else {
            households[number].places.append(name)
        }
        for member in households[number].members {
            for source in sources(of: member) { settle(source, at: now) }
        }
    }

    /// Somebody leaves, or is removed by who organises it; who does so cannot but end it.
    public mutating func leave(_ name: Account.Name, byOwnWill: Bool) -> Outcome {
        guard let number = household(of: name) else { return .notInFamily }
        guard households[number].places[0] != name else {
            return byOwnWill ? endHousehold(number) : .isOrganiser
        }
        note("left a family")
        letGo(name, of: number)
        return .done
    }

    private mutating func letGo(_ name: Account.Name, of number: Int) {
        let place = households[number].places.firstIndex(of: name)!
        households[number].places[place] = nil
        for index in shares.indices where shares[index].isOpen {
            let owner = self.owner(of: shares[index].source)
            guard owner == name || shares[index].member == name else { continue }
            settle(shares[index].source, at: now)
        }
    }

    /// A family ends: everybody keeps what is their own.
    public mutating func endHousehold(_ number: Int) -> Outcome {
        guard !households[number].isEnded else { return .unknownFamily }
        note("family ended")
        for name in households[number].members.reversed() { letGo(name, of: number) }
        households[number].isEnded = true
        return .done
    }

    // MARK: Choices

    /// A purchaser shares something with the family, or keeps it; what is bought once can be
    /// hidden as well (FAM-3, FAM-6).
    public mutating func share(_ source: Shareable, isOn: Bool, hides: Bool) -> Outcome {
        let isOn = isOn && !hides
        guard isShareable(source) else { return .notShareable }
        if hides, case .life = source { return .cannotBeHidden }
        choices[source] = isOn
        settle(source, at: now)
        return .done
    }

    /// Whether an account shares what it buys from now on. What it has keeps what held for it.
    public mutating func setSharing(ofNew isOn: Bool, _ name: Account.Name) {
        guard accounts[name]!.sharesNew != isOn else { return }
        for source in sources(of: name) where choices[source] == nil && !isOver(source) {
            guard isShareable(source) else { continue }
            choices[source] = isShared(source)
        }
        accounts[name]!.sharesNew = isOn
    }

    /// A product can be shared from now on, and for ever (FAM-1).
    public mutating func makeShareable(_ product: String) {
        guard let place = shop.articles.firstIndex(where: { $0.id == product }),
            shop.articles[place].canBeShared, !shop.articles[place].isShareable,
            !shop.deleted.contains(product)
        else { return }
        shop.articles[place].isShareable = true
        shareableSince[product] = (now, receipts.count)
    }

    // MARK: What there is

    /// What somebody bought that might be shared: subscriptions first.
    func sources(of name: Account.Name) -> [Shareable] {
        let mine = lives.indices.filter { lives[$0].account == name }
            .sorted { lives[$0].number < lives[$1].number }
        let once = receipts.indices.filter { place in
            receipts[place].account == name && receipts[place].until == nil
                && shop.article(receipts[place].product)?.kind == .nonConsumable
        }
        return mine.map { .life($0) } + once.map { .once($0) }
    }

    func owner(of source: Shareable) -> Account.Name {
        switch source {
        case .life(let index): lives[index].account
        case .once(let place): receipts[place].account
        }
    }

    /// The place of the purchaser's newest receipt of it.
    func newest(of source: Shareable) -> Int {
        switch source {
        case .life(let index): lives[index].receipt
        case .once(let place): place
        }
    }

    func isOver(_ source: Shareable) -> Bool {
        switch source {
        case .life(let index): lives[index].isOver
        case .once(let place): receipts[place].isRevoked
        }
    }

    func hasAccess(_ source: Shareable) -> Bool {
        switch source {
        case .life(let index): lives[index].hasAccess
        case .once(let place): !receipts[place].isRevoked
        }
    }

    private func isShareable(_ source: Shareable) -> Bool {
        shop.article(receipts[newest(of: source)].product)?.isShareable == true
    }

    /// FAM-3: as its purchaser chose; else new purchases as the purchaser's setting says, and what
    /// was bought before it could be shared not at all.
    func isShared(_ source: Shareable) -> Bool {
        guard isShareable(source) else { return false }
        if let choice = choices[source] { return choice }
        let receipt = receipts[newest(of: source)]
        let bought =
            switch source {
            case .life(let index): lives[index].serviceStart
            case .once: receipt.purchased
            }
        return accounts[receipt.account]!.sharesNew && !isOlderThanSharing(source, bought)
    }

    /// Whether something was bought before its product could be shared; at the very moment the
    /// place of its receipt tells.
    private func isOlderThanSharing(_ source: Shareable, _ bought: Int) -> Bool {
        let receipt = receipts[newest(of: source)]
        guard let since = shareableSince[receipt.product] else { return false }
        guard bought == since.moment else { return bought < since.moment }
        let first: Int? =
            switch source {
            case .once(let place): place
            case .life(let index):
                receipts.firstIndex { one in
                    one.account == lives[index].account && one.group == lives[index].group
                        && one.purchased == bought
                }
            }
        return first.map { $0 < since.receipts } ?? false
    }
}
