import Journal
import NaiveModel
import Storage
import Store
import SubscriptionRules
import TestSupport

/// What must be true of the rows of every world, whatever was done in it. It needs no second
/// opinion: it follows from the rows alone.
struct Invariants {
    let transactions: [Books.Transaction]
    let lines: [Books.Line]
    let events: [Books.Event]
    let fold: [String]

    init(_ database: any Database) async throws {
        // What is shared is checked with its source.
        transactions = try await Books.transactions(in: database).filter { $0.source == nil }
        lines = try await Books.lines(after: 0, in: database)
        events = try await Books.events(in: database)
        fold = try await JournalFold.differences(in: database)
    }

    /// Everything that is broken.
    var broken: [String] {
        fold + balance + charges + shares + periods + extensions + increases
    }

    /// The ledger sums to zero, line by line.
    private var balance: [String] {
        lines.compactMap { line in
            let sum = line.refunded - line.charged + line.developer + line.store
            return sum == 0 ? nil : "the ledger does not sum to zero: \(line)"
        }
    }

    /// Each transaction is charged once, and what was refunded and what was used make the price.
    private var charges: [String] {
        let movements = Dictionary(grouping: lines.filter { $0.transaction != nil }) {
            $0.transaction!
        }
        return transactions.compactMap { one in
            let moved = movements[one.id] ?? []
            let charged = moved.filter(\.isCharge).reduce(0) { $0 + $1.charged }
            // A reversal takes again what a refund gave, so it is no second charge.
            let after = moved.filter { !$0.isCharge }
            let net = after.reduce(0) { $0 + $1.refunded - $1.charged }
            guard charged == one.price else {
                return "transaction \(one.id) costs \(one.price) and was charged \(charged)"
            }
            guard net == one.refunded, (0...one.price).contains(net) else {
                return "of transaction \(one.id), \(net) was given back, not \(one.refunded)"
            }
            return nil
        }
    }

    /// Of each line no more is given back than was charged for it, and it is charged once. What a
    /// merchant calls something else meanwhile is given back under its new name.
    private var shares: [String] {
        let renamed = Set(events.filter { $0.event.kind == .merchantDescribed }.map(\.subscription))
        let old = Set(
            transactions.filter { one in one.subscription.map(renamed.contains) ?? false }
                .map(\.id))
        let some = lines.filter { $0.sku != nil && !old.contains($0.transaction!) }
        let lines = Dictionary(grouping: some) {
            "line \($0.sku!) of transaction \($0.transaction!)"
        }
        return lines.compactMap { name, moved in
            let charges = moved.filter(\.isCharge).map(\.charged)
            let net = moved.filter { !$0.isCharge }.reduce(0) { $0 + $1.refunded - $1.charged }
            let isWell = charges.count == 1 && (0...charges[0]).contains(net)
            return isWell ? nil : "\(name) was charged \(charges), and \(net) was given back"
        }
    }

    private var lives: [Int64: [Books.Transaction]] {
        Dictionary(grouping: transactions.filter { $0.subscription != nil }) { $0.subscription! }
    }

    /// A period begins when the one before it is over, unless that one was replaced or refunded.
    private var periods: [String] {
        lives.sorted { $0.key < $1.key }.flatMap { _, periods in
            zip(periods, periods.dropFirst()).compactMap { earlier, later in
                let isCut = earlier.isUpgraded || earlier.refunded > 0 || !later.isRenewal
                guard !isCut, let end = earlier.expires, later.purchased < end else { return nil }
                return "period \(later.id) begins before \(earlier.id) is over"
            }
        }
    }

    /// EXT-2: of three extensions of a subscription the first and the last are 365 days apart.
    private var extensions: [String] {
        let extensions = events.filter { $0.event.kind == .wasExtended }
        let year = Int64(365 * NaiveCalendar.day)
        return Dictionary(grouping: extensions, by: \.subscription).flatMap { id, all in
            zip(all, all.dropFirst(2)).compactMap { first, third in
                // Sandbox identifiers have 16 digits, and its years are shorter.
                id < 1_000_000_000_000_000
                    && third.event.at.since(first.event.at).milliseconds < year
                    ? "subscription \(id) was extended three times in a year" : nil
            }
        }
    }

    /// A renewal costs more than the one before only if the subscriber was told, and has agreed
    /// where an answer was asked for (INC-4). Of a merchant's own items the naive store judges
    /// that: they come and go, and the merchant may have told and asked itself.
    private var increases: [String] {
        let events = Dictionary(grouping: events, by: \.subscription)
        return lives.sorted { $0.key < $1.key }.flatMap { id, periods in
            zip(periods, periods.dropFirst()).compactMap { earlier, later -> String? in
                guard later.isRenewal, !later.isDiscounted, !earlier.isDiscounted,
                    earlier.product == later.product, later.product != MerchantDeed.product,
                    earlier.billing == later.billing,
                    earlier.currency == later.currency,
                    later.price > earlier.price
                else { return nil }
                let all = events[id] ?? []
                guard let renewal = all.first(where: { $0.event.transactionID == later.id }) else {
                    return "the journal does not know transaction \(later.id)"
                }
                // What is bought by hand costs what is shown (PRC-9).
                guard renewal.event.kind != .chosePlan else { return nil }
                let before = all.filter { $0.sequence < renewal.sequence }
                // Each of several lines is told of by itself.
                if later.lines != nil, before.contains(where: \.isAboutIncrease) { return nil }
                let told = before.last(where: \.isAboutIncrease)
                let isAsked = told?.event.notices.contains("PRICE_INCREASE/PENDING") == true
                let hasAgreed = before.contains {
                    $0.event.kind == .agreedToPriceIncrease
                        && $0.sequence > told?.sequence ?? 0
                }
                guard told == nil || (isAsked && !hasAgreed) else { return nil }
                return "renewal \(later.id) costs more than \(earlier.id), and nobody agreed"
            }
        }
    }
}

extension Books.Event {
    /// Whether the developer was told of a higher price.
    fileprivate var isAboutIncrease: Bool {
        event.notices.contains { $0.hasPrefix("PRICE_INCREASE") }
    }
}
