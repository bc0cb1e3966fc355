import ArgumentParser
import SubscriptionRules

/// An item of a merchant's, as `price explain` takes it: `news=9.99:10.99`, and what else is
/// known of it behind commas.
struct ExplainedItem: Hashable {
    private let sku: String
    private let oldPrice: String
    private let newPrice: String
    private var lastIncrease: Instant?
    private var offer: ExplainedOffer?
    private var offersLeft: Int?
    private var dependents: [String] = []

    init(_ text: String) throws {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let cut = parts[0].lastIndex(of: "="), cut > parts[0].startIndex else {
            throw ValidationError("'\(text)' is no item: write sku=9.99:10.99, or sku=9.99.")
        }
        sku = String(parts[0][..<cut])
        let prices = parts.removeFirst()[cut...].dropFirst()
            .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(prices.count) else {
            throw ValidationError("'\(text)' has more than two prices.")
        }
        (oldPrice, newPrice) = (prices[0], prices.last ?? prices[0])
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { throw Self.unknown(part) }
            try set(pair[0], pair[1])
        }
        guard offer != nil || offersLeft == nil else {
            throw ValidationError("left=\(offersLeft ?? 0) says more of an offer: add offer=.")
        }
    }

    private mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "increased": lastIncrease = try Reading.moment(value)
        case "offer":
            guard let mode = ExplainedOffer(rawValue: value) else {
                throw ValidationError(
                    "'\(value)' is no offer: write "
                        + ExplainedOffer.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            offer = mode
        case "left": offersLeft = try Reading.number(0...51)(value)
        case "ends": dependents = value.split(separator: "+").map(String.init)
        default: throw Self.unknown("\(name)=\(value)")
        }
    }

    private static func unknown(_ part: String) -> ValidationError {
        ValidationError(
            "'\(part)' says nothing of an item: write increased=, offer=, left= or ends=.")
    }

    /// The item with its prices in milliunits.
    func item(in currency: Currency) throws -> ImaginedBundle.Item {
        ImaginedBundle.Item(
            sku: sku, oldPrice: try Reading.price(oldPrice, currency),
            newPrice: try Reading.price(newPrice, currency), lastIncrease: lastIncrease,
            offer: offer.map { .init(mode: $0.mode, periodsLeft: offersLeft ?? 0) },
            dependents: dependents)
    }
}
