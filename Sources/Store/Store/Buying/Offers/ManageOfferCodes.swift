import Journal
import Storage
public import SubscriptionRules

/// Codes that an operator wants to have made.
public struct OfferCodeOrder: Sendable, Hashable {
    public var productID: String
    public var offerID: String
    /// What a custom code reads; nil for one-time codes.
    public var custom: String?
    /// How many one-time codes, or how many customers may redeem the custom one.
    public var count: Int
    /// The first moment at which they are good no more. One-time codes expire six months after
    /// they were made unless something earlier is said; custom ones never.
    public var expires: Instant?

    public init(
        productID: String, offerID: String, custom: String? = nil, count: Int,
        expires: Instant? = nil
    ) {
        self.productID = productID
        self.offerID = offerID
        self.custom = custom
        self.count = count
        self.expires = expires
    }

    /// How many codes an app can have made in a quarter of a year (TAB-5.2).
    public static let mostPerQuarter: Int64 = 1_000_000
}

extension Store {
    /// Makes codes of an offer, of an environment (COD-1, COD-2).
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.purchase(.offer(.unknown))`;
    ///   `.setting(.invalid)` for a count, a custom text or an end that cannot be;
    ///   `.offerCode(.taken)`, `.offerCode(.tooMany)`.
    public func makeOfferCodes(
        _ order: OfferCodeOrder, bundleID: String, in environment: StoreEnvironment
    ) async throws -> OfferCodeBatch {
        try order.check()
        try await catchUp()
        return try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard let product = app.product(order.productID) else {
                throw StoreError.unknown(.product, order.productID)
            }
            guard
                product.subscription?.offer(.offerCode, order.offerID) != nil
                    || product.oneTimeOffer(order.offerID) != nil
            else {
                throw StoreError.purchase(.offer(.unknown(order.offerID)))
            }
            let standing = try OfferCodeBatch.standing(
                app: app.id, in: environment, since: work.now.startOfQuarter, work.session)
            let left = OfferCodeOrder.mostPerQuarter - standing.codes
            guard order.count <= left else {
                throw StoreError.offerCode(.tooMany(left: max(left, 0)))
            }
            let batch = try order.batch(
                id: work.nextNumber(), ordinal: standing.nextOrdinal, app: app.id, in: environment,
                at: work.now)
            if case .custom(let code) = batch.kind,
                try OfferCodeBatch.find(
                    custom: code, app: app.id, in: environment, work.session) != nil
            {
                throw StoreError.offerCode(.taken(code))
            }
            try batch.insert(in: work.session)
            work.record(.madeOfferCodes) { entry in
                entry.app = app.id
                entry.event.note = "\(batch.id)"
            }
            return batch
        }
    }

    /// Ends codes: nobody redeems them any more. Those that were redeemed stay.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.offerCodeBatch)`.
    @discardableResult
    public func endOfferCodes(
        _ id: Int64, bundleID: String, in environment: StoreEnvironment
    ) async throws -> OfferCodeBatch {
        try await catchUp()
        return try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            var batch = try OfferCodeBatch.required(id, app, in: environment, work.session)
            guard batch.ended == nil else { return batch }
            try batch.end(at: work.now, in: work.session)
            batch.ended = work.now
            work.record(.endedOfferCodes) { entry in
                entry.app = app.id
                entry.event.note = "\(id)"
            }
            return batch
        }
    }

    /// Codes that were made, from the newest down.
    ///
    /// - Parameters:
    ///   - productID: only this product's; nil for all.
    ///   - offerID: only this offer's; nil for all.
    ///   - before: only those with lower numbers.
    /// - Throws: `StoreError.unknown(.app)`.
    public func offerCodeBatches(
        bundleID: String, in environment: StoreEnvironment, productID: String? = nil,
        offerID: String? = nil, before: Int64? = nil, limit: Int
    ) async throws -> [OfferCodeBatch] {
        try await read { reader in
            try OfferCodeBatch.page(
                app: try reader.apps.find(bundleID: bundleID).id, in: environment,
                productID: productID, offerID: offerID, before: before, limit: limit,
                reader.session)
        }
    }

    /// The texts of codes that were made, in their order: one for a custom code.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.offerCodeBatch)`.
    public func offerCodes(
        ofBatch id: Int64, bundleID: String, in environment: StoreEnvironment
    ) async throws -> [String] {
        let (batch, scope, seed) = try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            return (
                try OfferCodeBatch.required(id, app, in: environment, reader.session),
                app.offerCodeScope(in: environment), try World.seed(in: reader.session)
            )
        }
        switch batch.kind {
        case .custom(let code): return [code]
        case .oneTime:
            return (0..<Int64(batch.count)).map { place in
                OfferCode(ordinal: batch.ordinal, place: place).text(seed: seed, scope: scope)
            }
        }
    }
}

extension App {
    /// What one-time codes are for: they are good in one app and environment.
    func offerCodeScope(in environment: StoreEnvironment) -> String {
        "\(bundleID)/\(environment.rawValue)"
    }
}

extension OfferCodeBatch {
    static func required(
        _ id: Int64, _ app: App, in environment: StoreEnvironment, _ session: any Session
    ) throws -> OfferCodeBatch {
        guard let batch = try find(id, app: app.id, in: environment, session) else {
            throw StoreError.unknown(.offerCodeBatch, "\(id)")
        }
        return batch
    }
}

extension OfferCodeOrder {
    private static let textLengths = 3...64

    fileprivate func check() throws(StoreError) {
        guard (1...Int(OfferCodeOrder.mostPerQuarter)).contains(count) else {
            throw .setting(
                .invalid("count", reason: "it must be 1 to \(OfferCodeOrder.mostPerQuarter)"))
        }
        guard let custom else { return }
        let isPlain = custom.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        guard isPlain, OfferCodeOrder.textLengths.contains(custom.utf8.count) else {
            throw .setting(
                .invalid(
                    "custom",
                    reason: "it must be 3 to 64 ASCII letters and digits, without spaces, hyphens "
                        + "or accents"))
        }
    }

    /// - Throws: `StoreError.setting(.invalid)` for an end that is past or too far away.
    fileprivate func batch(
        id: Int64, ordinal: Int64, app: Int64, in environment: StoreEnvironment, at now: Instant
    ) throws -> OfferCodeBatch {
        let latest = CalendarStep(iso8601: "P6M")?.applied(to: now)
        if let expires {
            guard expires > now else {
                throw StoreError.setting(.invalid("expires", reason: "it is not in the future"))
            }
            if custom == nil, let latest, expires > latest {
                throw StoreError.setting(
                    .invalid("expires", reason: "one-time codes are good for six months at most"))
            }
        }
        return OfferCodeBatch(
            id: id, environment: environment, app: app, ordinal: ordinal, productID: productID,
            offerID: offerID, kind: custom.map { .custom($0.uppercased()) } ?? .oneTime,
            count: count, made: now, expires: expires ?? (custom == nil ? latest : nil),
            ended: nil, redeemed: 0)
    }
}

extension Instant {
    /// The first moment of the quarter of a year that it lies in, in UTC.
    fileprivate var startOfQuarter: Instant {
        let date = BillingZone.utc.wallClock(at: self).date
        let first = CivilDate(year: date.year, month: (date.month - 1) / 3 * 3 + 1, day: 1)
        return BillingZone.utc.instant(of: first, milliseconds: 0)
    }
}
