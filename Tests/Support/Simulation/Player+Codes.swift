import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// Offer codes, asked of the real store.
extension Player {
    func play(_ deed: CodeDeed, _ index: Int) async throws -> Outcome {
        switch deed {
        case .make(let batch):
            _ = try await store.makeOfferCodes(
                OfferCodeOrder(
                    productID: batch.product, offerID: batch.offer, custom: batch.custom,
                    count: batch.count, expires: batch.until.map(OpenWorld.instant)),
                bundleID: OpenWorld.bundleID, in: batch.isSandbox ? .sandbox : .production)
        case .end(let number):
            guard let (id, isSandbox) = try await batch(number) else { return .done }
            try await store.endOfferCodes(
                id, bundleID: OpenWorld.bundleID, in: isSandbox ? .sandbox : .production)
        case .redeem(let name, let number, let place, let isTyped, let token):
            _ = try await store.redeem(
                code: try await text(number, place), isTyped: isTyped, appAccountToken: token,
                idempotencyKey: "key\(index)", by: devices[name]!)
        }
        return .done
    }

    /// The store's number of a batch that the naive store has.
    private func batch(_ number: Int) async throws -> (id: Int64, isSandbox: Bool)? {
        guard let place = naive.batch(number) else { return nil }
        let isSandbox = naive.batches[place].isSandbox
        let ids = try await store.offerCodeBatches(
            bundleID: OpenWorld.bundleID, in: isSandbox ? .sandbox : .production, limit: 1000
        ).map(\.id).sorted()
        let before = naive.batches[..<place].count { $0.isSandbox == isSandbox }
        return (ids[before], isSandbox)
    }

    private func text(_ number: Int?, _ place: Int) async throws -> String {
        guard let number, let (id, isSandbox) = try await batch(number) else { return "NOCODE" }
        let texts = try await store.offerCodes(
            ofBatch: id, bundleID: OpenWorld.bundleID, in: isSandbox ? .sandbox : .production)
        // A custom code is one text for everybody.
        guard naive.batches[naive.batch(number)!].custom == nil else { return texts[0] }
        return place < texts.count ? texts[place] : "NOCODE"
    }
}

extension Outcome {
    /// What a refusal about offers is called in the naive model.
    init?(_ error: StoreError.OfferCodeError) {
        switch error {
        case .unknown: self = .unknownCode
        case .expired: self = .codeExpired
        case .redeemed: self = .codeRedeemed
        case .offerRedeemedBefore: self = .offerRedeemedBefore
        case .customTyped: self = .codeTyped
        case .taken: self = .codeTaken
        case .tooMany: return nil
        }
    }

    init?(_ error: StoreError.OfferError) {
        switch error {
        case .unknown: self = .unknownOffer
        case .refused(.notInAudience): self = .notInAudience
        case .refused(.wouldDowngrade): self = .wouldDowngrade
        case .refused, .signatureUsed, .otherCustomer: return nil
        }
    }
}
