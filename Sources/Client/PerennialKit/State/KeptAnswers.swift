import AppStoreWire
import Synchronization

/// What the store last said of a customer and was verified here, for when it is away.
struct KeptEntry: Sendable, Equatable {
    /// The lists that are kept.
    enum List: String, Sendable, CaseIterable {
        case entitlements, subscriptions
        /// The newest transaction of each product.
        case latest
    }

    /// When it was answered, by the session's clock: UNIX milliseconds.
    let at: Int64
    /// The transaction.
    let id: String
    let originalID: String
    let productID: String
    /// What it says, but for the time of its signature.
    let fingerprint: String
    /// As the store answered it, with what it signed.
    let json: JSONValue

    init(
        _ payload: JWSTransactionDecodedPayload, at: Int64, fingerprint: String? = nil,
        json: JSONValue
    ) {
        self.at = at
        id = payload.transactionId
        originalID = payload.originalTransactionId
        productID = payload.productId
        self.fingerprint = fingerprint ?? payload.fingerprint
        self.json = json
    }

    init(_ payload: JWSTransactionDecodedPayload, at: Int64, jws: String) {
        self.init(payload, at: at, json: .object(["signedTransactionInfo": .string(jws)]))
    }

    /// Whether it tells of a later transaction, or of the same one later.
    func isNewer(than other: KeptEntry) -> Bool {
        (UInt64(id) ?? 0, at) >= (UInt64(other.id) ?? 0, other.at)
    }
}

extension KeptEntry: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("at", at)
            json.field("id", id)
            json.field("originalId", originalID)
            json.field("productId", productID)
            json.field("fingerprint", fingerprint)
            json.field("answer", self.json)
        }
    }

    init(_ json: JSONValue) throws(SavedState.Damage) {
        guard let at = json["at"]?.integer, let id = json["id"]?.string,
            let originalID = json["originalId"]?.string, let productID = json["productId"]?.string,
            let fingerprint = json["fingerprint"]?.string, let answer = json["answer"]
        else { throw SavedState.Damage("a kept answer lacks something") }
        self.at = at
        self.id = id
        self.originalID = originalID
        self.productID = productID
        self.fingerprint = fingerprint
        self.json = answer
    }
}

extension Keeper {
    /// For so long an answer that says the same is not written again, in milliseconds.
    private static let freshness: Int64 = 60_000

    /// Keeps what the store answered. Where that cannot be written, the answer is no worse.
    func keep(_ entries: [KeptEntry], as list: KeptEntry.List, account: String, at now: Int64) {
        let known = core.withLock { $0.state.accounts[account]?.answers[list] }
        if let known, known.map(\.fingerprint) == entries.map(\.fingerprint),
            known.allSatisfy({ (0..<Self.freshness).contains(now - $0.at) })
        {
            return
        }
        _ = try? change { $0.state.accounts[account]?.answers[list] = entries }
    }
}

extension AccountState {
    /// A transaction came without being asked for: what is kept is as the store would answer now.
    mutating func fold(_ transaction: ReceivedTransaction) {
        guard let entry = transaction.entry else { return }
        if var latest = answers[.latest],
            latest.allSatisfy({ $0.productID != entry.productID || entry.isNewer(than: $0) })
        {
            latest.removeAll { $0.productID == entry.productID }
            answers[.latest] = latest + [entry]
        }
        guard var owned = answers[.entitlements] else { return }
        let isRenewing = transaction.isAutoRenewable
        let others = owned.filter { $0.id != entry.id }
        let isOld =
            isRenewing
            && others.contains { $0.originalID == entry.originalID && $0.isNewer(than: entry) }
        owned = others.filter {
            !(isRenewing && transaction.givesAccess && $0.originalID == entry.originalID)
                || isOld
        }
        if transaction.givesAccess, !isOld { owned.append(entry) }
        answers[.entitlements] = owned
    }
}

extension StoreSession {
    /// For how long something has been kept.
    func age(of entry: KeptEntry) -> Duration {
        .milliseconds(max(0, configuration.clock.now - entry.at))
    }

    /// The moment that it is at the store by now, as far as is known here, in UNIX milliseconds:
    /// when the store signed it, and the time that has passed on this device since.
    private func storeTime(_ entry: KeptEntry, signed: Int64) -> Int64 {
        signed + max(0, configuration.clock.now - entry.at)
    }

    /// What is kept of an answer that cannot be had.
    ///
    /// - Throws: why it cannot, where that does not pass or nothing is kept.
    func kept(
        _ list: KeptEntry.List, after error: StoreKitError
    ) throws(StoreKitError) -> [KeptEntry] {
        guard error.isPassing, account != nil, let entries = keeper.current.answers[list] else {
            throw error
        }
        return entries
    }

    /// A transaction that was kept, with its age; nil where it is not to be trusted any more.
    func transaction(
        kept entry: KeptEntry
    ) async throws(StoreKitError) -> VerificationResult<Transaction>? {
        guard let jws = entry.json["signedTransactionInfo"]?.string else { return nil }
        let (payload, error) = try await reader.transaction(jws)
        guard error == nil else { return nil }
        return Transaction.result(payload, nil, jws: jws, age: age(of: entry), session: self)
    }

    /// Those entitlements that have not ended by their own dates, or those of their grace period.
    func entitlements(
        kept entries: [KeptEntry]
    ) async throws(StoreKitError) -> [VerificationResult<Transaction>] {
        var found: [VerificationResult<Transaction>] = []
        for entry in entries {
            guard let result = try await transaction(kept: entry) else { continue }
            let payload = result.unsafePayloadValue.payload
            guard payload.type == .autoRenewableSubscription, var end = payload.expiresDate else {
                found.append(result)
                continue
            }
            for status in keeper.current.answers[.subscriptions] ?? []
            where status.id == entry.id {
                guard let signed = status.json["signedRenewalInfo"]?.string else { continue }
                let (renewal, error) = try await reader.renewalInfo(signed)
                if error == nil { end = max(end, renewal.gracePeriodExpiresDate ?? end) }
            }
            if storeTime(entry, signed: payload.signedDate) < end { found.append(result) }
        }
        return found
    }

    /// Statuses that were kept. One that has ended by its own dates gives no access any more:
    /// whether it was renewed meanwhile nobody knows here.
    func statuses(
        kept entries: [KeptEntry]
    ) async throws(StoreKitError) -> [Product.SubscriptionInfo.Status] {
        var found: [Product.SubscriptionInfo.Status] = []
        for entry in entries {
            let status = try await status(entry.json, age: age(of: entry))
            guard case .verified(let transaction) = status.transaction,
                case .verified(let renewal) = status.renewalInfo
            else { continue }
            let payload = transaction.payload
            let end = max(
                payload.expiresDate ?? .max, renewal.payload.gracePeriodExpiresDate ?? .min)
            let isOver = storeTime(entry, signed: payload.signedDate) >= end
            found.append(isOver ? status.ended : status)
        }
        return found
    }
}
