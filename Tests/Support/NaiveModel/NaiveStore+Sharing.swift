/// What a purchaser's family has of a purchase: each member has receipts that follow the
/// purchaser's, and is told of whatever changes what the member has (FAM-2, FAM-5, FAM-6, 0030).
extension NaiveStore {
    /// Brings to families what has become of purchases since the last time.
    mutating func followPurchases() {
        guard !households.isEmpty else { return }
        let fresh = Array(notices[presented...])
        for index in lives.indices
        where index >= seenLives.count || lives[index] != seenLives[index]
            || fresh.contains(where: { $0.life == index && $0.shared == nil })
        {
            let kinds = fresh.filter { $0.life == index && $0.shared == nil }.map(\.kind)
            follow(.life(index))
            settle(.life(index), kinds, at: now)
        }
        for place in receipts.indices
        where place >= seenReceipts.count || receipts[place] != seenReceipts[place] {
            guard shop.article(receipts[place].product)?.kind == .nonConsumable else { continue }
            follow(.once(place))
            settle(.once(place), at: now)
        }
        (seenLives, seenReceipts) = (lives, receipts)
    }

    /// Does to members' receipts what was done to the purchaser's.
    private mutating func follow(_ source: Shareable) {
        for place in handedOn.indices {
            let index = handedOn[place].share
            guard shares[index].source == source, shares[index].isOpen else { continue }
            let receipt = receipts[handedOn[place].receipt]
            if receipt.isRevoked, handedOn[place].revoked == nil {
                note("a refund reaches the family")
                handedOn[place].isRefunded = true
                revoke(index, place)
            } else if !receipt.isRevoked, handedOn[place].isRefunded {
                handedOn[place].revoked = nil
                handedOn[place].isRefunded = false
                if shares[index].newest == place, hasAccess(source) {
                    note("a refund that is taken back reaches the family")
                    tellGain(index, isFirst: false)
                }
            }
            guard handedOn[place].revoked == nil else { continue }
            handedOn[place].isUpgraded = receipt.isUpgraded
            handedOn[place].until = receipt.until
        }
    }

    /// Ends what may go on no longer, carries on what goes on, and gives those who are to have it
    /// and have it not.
    ///
    /// - Parameter kinds: what was told of the purchaser.
    mutating func settle(_ source: Shareable, _ kinds: [String] = [], at moment: Int) {
        let (isShared, family) = (isShared(source), others(of: owner(of: source)))
        var served: [Account.Name] = []
        for index in shares.indices where shares[index].source == source && shares[index].isOpen {
            guard isShared, family.contains(shares[index].member) else {
                close(index)
                continue
            }
            served.append(shares[index].member)
            if handedOn[shares[index].newest].receipt != newest(of: source) {
                let receipt = receipts[newest(of: source)]
                handOn(index, purchased: receipt.purchased, isRenewal: receipt.isRenewal)
            }
            for kind in kinds { pass(kind, index) }
        }
        guard isShared, hasAccess(source) else { return }
        // What comes with the purchase has its moment, what comes later its own.
        let isOpening = newest(of: source) >= seenReceipts.count
        for member in family where !served.contains(member) {
            gain(
                source, member,
                purchased: isOpening ? receipts[newest(of: source)].purchased : moment)
        }
    }

    private mutating func gain(
        _ source: Shareable, _ member: Account.Name, purchased: Int
    ) {
        var group: String?
        if case .life(let index) = source { group = lives[index].group }
        let earlier = shares.firstIndex { $0.source == source && $0.member == member }
        let isFirst =
            earlier == nil
            && (group == nil || !shares.contains { $0.member == member && $0.group == group })
        note(earlier == nil ? "shared" : "shared again")
        let index = earlier ?? shares.count
        if earlier == nil {
            shares.append(
                Share(
                    source: source, member: member, group: group, newest: 0, first: purchased))
        }
        shares[index].isOpen = true
        handOn(index, purchased: purchased, isRenewal: false)
        tellGain(index, isFirst: isFirst)
    }

    private mutating func handOn(_ index: Int, purchased: Int, isRenewal: Bool) {
        let place = newest(of: shares[index].source)
        let receipt = receipts[place]
        shares[index].newest = handedOn.count
        handedOn.append(
            HandedOn(
                member: shares[index].member, share: index, receipt: place,
                product: receipt.product, purchased: purchased, until: receipt.until,
                currency: receipt.currency, offer: receipt.offer?.text, isRenewal: isRenewal,
                billing: receipt.billing))
    }

    /// What was over anyway ends without a word.
    private mutating func close(_ index: Int) {
        shares[index].isOpen = false
        shares[index].intent = nil
        if case .life(let life) = shares[index].source, case .over(let reason) = lives[life].phase {
            shares[index].intent = reason
        }
        // Nothing that a refund took comes back to who has left.
        for place in handedOn.indices where handedOn[place].share == index {
            handedOn[place].isRefunded = false
        }
        let newest = shares[index].newest
        guard !isOver(shares[index].source), handedOn[newest].revoked == nil else { return }
        note("sharing ended")
        revoke(index, newest)
    }

    private mutating func revoke(_ index: Int, _ place: Int) {
        handedOn[place].revoked = now
        tell("REVOKE", share: index, place)
    }

    // MARK: What the developer is told of members

    private mutating func tellGain(_ index: Int, isFirst: Bool) {
        let kind =
            shares[index].group == nil
            ? "ONE_TIME_CHARGE" : "SUBSCRIBED/" + (isFirst ? "INITIAL_BUY" : "RESUBSCRIBE")
        tell(kind, share: index, shares[index].newest)
    }

    /// Of members is told what changes what they have; money, consent and refunds are the
    /// purchaser's own, and so is an offer, but for the plan that comes with it.
    private mutating func pass(_ kind: String, _ index: Int) {
        let parts = kind.split(separator: "/").map(String.init)
        switch parts[0] {
        case "SUBSCRIBED": tellGain(index, isFirst: false)
        case "OFFER_REDEEMED" where parts.count > 1:
            tell("DID_CHANGE_RENEWAL_PREF/" + parts[1], share: index, shares[index].newest)
        case "DID_RENEW", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED",
            "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "RENEWAL_EXTENDED":
            tell(kind, share: index, shares[index].newest)
        default: break
        }
    }

    private mutating func tell(_ kind: String, share: Int, _ place: Int) {
        var life: Int?
        if case .life(let index) = shares[share].source { life = index }
        notices.append(
            Notice(
                at: now, account: shares[share].member, group: shares[share].group, life: life,
                kind: kind, shared: place, owner: owner(of: shares[share].source)))
    }

    // MARK: How it is shown

    /// How a member's subscription is shown: as the purchaser's, but for money and names. To who
    /// has it no more only what was had is shown.
    public func standing(of share: Share) -> Standing? {
        guard case .life(let index) = share.source else { return nil }
        let newest = handedOn[share.newest]
        guard share.isOpen else {
            return Standing(
                status: newest.revoked == nil ? 2 : 5, product: newest.product,
                next: newest.product, renews: false, renewal: newest.until ?? 0, price: nil,
                currency: nil, intent: share.intent, isRetrying: false, graceEnds: nil,
                increase: nil,
                offer: nil, since: share.first, token: nil, billing: nil)
        }
        var standing = standing(of: lives[index])
        (standing.price, standing.currency, standing.token) = (nil, nil, nil)
        // They owe nothing (0033).
        standing.commitment = nil
        if newest.revoked != nil { standing.status = 5 }
        return standing
    }

    public func showing(of share: Share) -> Showing { showing(handedOn: share.newest) }

    func showing(handedOn place: Int) -> Showing {
        let one = handedOn[place]
        var showing = Showing(
            product: one.product, purchased: one.purchased, expires: one.until, price: 0,
            currency: one.currency, isUpgraded: one.isUpgraded, isRenewal: one.isRenewal,
            offer: one.offer, revoked: one.revoked, share: nil, token: nil,
            billing: shares[one.share].group == nil ? nil : one.billing)
        showing.first = shares[one.share].first
        return showing
    }

    /// What a member may use that others bought.
    func sharedAccess(_ name: Account.Name) -> Set<String> {
        let open = shares.filter { share in
            share.member == name && share.isOpen && handedOn[share.newest].revoked == nil
                && hasAccess(share.source)
        }
        return Set(open.map { handedOn[$0.newest].product })
    }
}
