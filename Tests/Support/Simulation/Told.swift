import AppStoreWire
import NaiveModel
import TestSupport

/// Compares what the developer was told with what the naive store tells: for each subscription
/// every notification in order, with its moment and all that it shows.
struct Told {
    /// The groups of the store's subscriptions.
    var groups: [Int64: (owner: Account.Name, id: String)] = [:]
    /// How far the notifications of both have been compared.
    private var last: Int64 = 0
    private var notices = 0

    mutating func difference(
        _ player: Player, _ names: [Int64: Account.Name]
    ) async throws -> [String]? {
        var real: [String: [String]] = [:]
        for one in try await Books.notifications(after: last, in: player.database) {
            last = one.id
            let who = one.customer.map { names[$0]?.line ?? "?" } ?? "everybody"
            let group = one.subscription.map { id in
                guard let group = groups[id] else { return "?" }
                let owner = group.owner.line
                return owner == who ? group.id : "\(group.id) of \(owner)"
            }
            let (text, isShared) = try line(one)
            let key = group ?? (isShared ? Told.sharedOnce : "once")
            real["\(who), \(key)", default: []].append(text)
        }
        var naive: [String: [String]] = [:]
        for one in player.naive.notices[notices...] {
            let who = one.account?.line ?? "everybody"
            let group = one.group.map { id in one.owner.map { "\(id) of \($0.line)" } ?? id }
            let key = group ?? (one.owner == nil ? "once" : Told.sharedOnce)
            naive["\(who), \(key)", default: []].append(
                NaiveCalendar.text(one.at) + " " + one.kind + (one.standing?.line ?? "")
                    + (one.showing?.line ?? ""))
        }
        notices = player.naive.notices.count
        for key in Set(real.keys).union(naive.keys).sorted() where real[key] != naive[key] {
            let (told, expected) = (real[key] ?? [], naive[key] ?? [])
            guard told.sorted() != expected.sorted() else {
                // Things that others bought come in an order that is the stores' own business.
                if key.hasSuffix(Told.sharedOnce) { continue }
                return ["told of \(key) in this order:"] + told + ["expected:"] + expected
            }
            return Comparison.different("told of \(key)", told, expected)
        }
        return nil
    }

    private static let sharedOnce = "once, by others"

    private func line(
        _ one: Books.Notification
    ) throws -> (text: String, isShared: Bool) {
        let head = NaiveCalendar.text(Int(one.at)) + " " + one.kind
        if let detail = one.detail, one.kind.hasSuffix("SUMMARY") {
            let summary = try JSONValue(parsing: detail.utf8)
            let succeeded = summary["succeededCount"]?.integer ?? -1
            let failed = summary["failedCount"]?.integer ?? -1
            return ("\(head) \(succeeded) of \(succeeded + failed)", false)
        }
        var standing: Standing?
        var showing: Showing?
        if let signed = one.signed {
            let payload: ResponseBodyV2DecodedPayload = try JWSText.decode(signed)
            if let status = payload.data?.status, let info = payload.data?.signedRenewalInfo {
                standing = Standing(status, try JWSText.decode(info))
            }
            if let info = payload.data?.signedTransactionInfo {
                showing = Showing(try JWSText.decode(info))
            }
        } else {
            if let status = one.status, let draft = one.renewalDraft {
                standing = Standing(Status(rawValue: status), try JWSText.decode(plain: draft.utf8))
            }
            showing = try one.transactionDraft.map { Showing(try JWSText.decode(plain: $0.utf8)) }
        }
        return (
            head + (standing?.line ?? "") + (showing?.line ?? ""), showing?.first != nil
        )
    }
}

extension Standing {
    /// As a developer reads it.
    init(_ status: Status, _ info: JWSRenewalInfoDecodedPayload) {
        self.init(
            status: status.rawValue, product: info.productId, next: info.autoRenewProductId,
            renews: info.autoRenewStatus == .on, renewal: Int(info.renewalDate ?? -1),
            price: info.renewalPrice.map(Int.init), currency: info.currency,
            intent: info.expirationIntent?.rawValue,
            isRetrying: info.isInBillingRetryPeriod ?? false,
            graceEnds: info.gracePeriodExpiresDate.map(Int.init),
            increase: info.priceIncreaseStatus?.rawValue,
            offer: OfferText.of(
                info.offerIdentifier, info.offerType, info.offerDiscountType, info.offerPeriod),
            since: Int(info.recentSubscriptionStartDate ?? -1), token: info.appAccountToken,
            billing: info.renewalBillingPlanType.map { $0 == .monthly ? .monthly : .upFront },
            commitment: info.commitmentInfo.map { next in
                NextCommitment(
                    product: next.commitmentAutoRenewProductId,
                    renews: next.commitmentAutoRenewStatus == .on,
                    billing: next.commitmentRenewalBillingPlanType == .monthly
                        ? .monthly : .upFront,
                    at: Int(next.commitmentRenewalDate), price: Int(next.commitmentRenewalPrice))
            },
            items: info.advancedCommerceInfo.map(MerchantText.of) ?? [])
    }

    /// In words for people.
    var line: String {
        var words = [
            " status \(status): \(product)" + (next == product ? "" : ", then \(next),"),
            "renews \(renews) on \(NaiveCalendar.text(renewal))",
        ]
        if let price { words.append("for \(price) \(currency ?? "")") }
        if let intent { words.append("intent \(intent)") }
        if isRetrying { words.append("retrying") }
        if let graceEnds { words.append("grace \(NaiveCalendar.text(graceEnds))") }
        if let increase { words.append("increase \(increase == 0 ? "asked" : "accepted")") }
        if let offer { words.append("next \(offer)") }
        if !items.isEmpty { words.append("next items " + items.joined(separator: ", ")) }
        words.append("since \(NaiveCalendar.text(since))")
        if let token { words.append("as \(token)") }
        words.append(billing.map { "paid \($0)" } ?? "paid somehow")
        if let next = commitment {
            words.append(
                "committed until \(NaiveCalendar.text(next.at)), then \(next.product)"
                    + "\(next.billing.text), renews \(next.renews), for \(next.price)")
        }
        return words.joined(separator: " ")
    }
}

extension Showing {
    /// As a developer reads it.
    init(_ one: JWSTransactionDecodedPayload) {
        self.init(
            product: one.productId, purchased: Int(one.purchaseDate),
            expires: one.expiresDate.map(Int.init), price: Int(one.price ?? -1),
            currency: one.currency ?? "", isUpgraded: one.isUpgraded ?? false,
            isRenewal: one.transactionReason == .renewal,
            offer: OfferText.of(
                one.offerIdentifier, one.offerType, one.offerDiscountType, one.offerPeriod),
            revoked: one.revocationDate.map(Int.init),
            share: one.revocationPercentage.map { Int($0) }, token: one.appAccountToken,
            billing: one.billingPlanType.map { $0 == .monthly ? .monthly : .upFront },
            month: one.commitmentInfo.map { month in
                MonthOfCommitment(
                    number: month.billingPeriodNumber, of: month.totalBillingPeriods,
                    ends: Int(month.commitmentExpiresDate), price: Int(month.commitmentPrice))
            },
            items: one.advancedCommerceInfo.map(MerchantText.of) ?? [])
        if one.inAppOwnershipType == .familyShared { first = Int(one.originalPurchaseDate) }
    }

    /// In words for people.
    var line: String {
        var words = [
            "; \(isRenewal ? "renewed" : "bought") \(product) \(NaiveCalendar.text(purchased))"
        ]
        if let expires { words.append("to \(NaiveCalendar.text(expires))") }
        words.append("for \(price) \(currency)")
        if let offer { words.append("at \(offer)") }
        if !items.isEmpty { words.append("items " + items.joined(separator: ", ")) }
        if isUpgraded { words.append("upgraded") }
        if let revoked {
            words.append("revoked \(NaiveCalendar.text(revoked)), \(share.map { "\($0)" } ?? "-")")
        }
        if let token { words.append("as \(token)") }
        if let first { words.append("shared, at first \(NaiveCalendar.text(first))") }
        if let billing { words.append("paid \(billing)") }
        if let month {
            words.append(
                "month \(month.number) of \(month.of), \(month.price) until "
                    + NaiveCalendar.text(month.ends))
        }
        return words.joined(separator: " ")
    }
}

/// An offer as the naive store writes it.
private enum OfferText {
    static func of(
        _ name: String?, _ type: OfferType?, _ mode: OfferDiscountType?, _ period: String?
    ) -> String? {
        guard let type, let mode, let period else { return nil }
        // Of other types than these none is simulated.
        let isKnown = type == (name == nil ? .introductory : .promotional)
        if type == .offerCode { return "code \(name ?? "-"): \(mode.rawValue) \(period)" }
        return (isKnown ? "" : "type \(type.rawValue) ") + (name.map { "\($0): " } ?? "")
            + "\(mode.rawValue) \(period)"
    }
}
