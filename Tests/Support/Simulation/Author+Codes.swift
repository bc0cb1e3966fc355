import NaiveModel

/// Offer codes: what operators have made, and who redeems them.
extension Author {
    mutating func codeDeed(_ name: Account.Name) -> PlayedCommand {
        if store.batches.count < 2 || chance.happens(20) { return .code(makeCodes(name)) }
        if chance.happens(5) { return .code(.end(chance.number(0...99))) }
        return .code(redeem(name))
    }

    private mutating func makeCodes(_ name: Account.Name) -> CodeDeed {
        let offers = store.shop.articles.flatMap { article in
            article.codeOffers.map { (article.id, $0.discount.name!) }
        }
        guard !offers.isEmpty else {
            return .redeem(name, batch: nil, place: 0, isTyped: false, token: nil)
        }
        let (product, offer) = chance.pick(offers)
        let isCustom = chance.happens(40)
        let day = NaiveCalendar.day
        let until: Int? =
            chance.happens(70)
            ? nil
            : chance.happens(10)
                ? store.now + chance.pick([0, -1, 190 * day])
                : isSandbox
                    ? store.now + chance.number(1...90) * NaiveCalendar.minute
                    : store.now + chance.number(1...150) * day
        return .make(
            CodeBatch(
                product: chance.happens(2) ? "unknown" : product,
                offer: chance.happens(2) ? "none" : offer, isSandbox: name.isSandbox,
                custom: isCustom ? "CUSTOM\(chance.number(1...4))" : nil,
                count: chance.number(1...3), until: until))
    }

    /// Mostly a newer one that is good still.
    private mutating func redeem(_ name: Account.Name) -> CodeDeed {
        let ours = store.batches.indices.filter { place in
            let batch = store.batches[place]
            return batch.isSandbox == name.isSandbox && batch.until.map { $0 > store.now } ?? true
        }
        var batch = chance.number(0...(store.batches.count - 1))
        if !ours.isEmpty, chance.happens(85) { batch = chance.pick(ours) }
        // Of a custom code that is used up nobody has another one.
        let usedUp = ours.filter { place in
            let batch = store.batches[place]
            return batch.custom != nil && batch.redemptions.count >= batch.count
        }
        if !usedUp.isEmpty, chance.happens(25) { batch = chance.pick(usedUp) }
        let taken = store.batches[batch].redemptions.map(\.place)
        let free = (0..<store.batches[batch].count).filter { !taken.contains($0) }
        let place =
            free.isEmpty || chance.happens(10)
            ? chance.number(0...store.batches[batch].count) : chance.pick(free)
        return .redeem(
            name, batch: chance.happens(2) ? nil : batch, place: place,
            isTyped: chance.happens(8), token: chance.happens(15) ? token() : nil)
    }
}
