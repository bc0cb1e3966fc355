import Merchant
import PlacedYAML
import Yams

/// The policies of `transfers` that are one word.
private enum TransferWord: String, CaseIterable {
    case refuse, keep, transfer, transferIfInactive

    var policy: TransferPolicy {
        switch self {
        case .refuse: .refuse
        case .keep: .keep
        case .transfer: .transfer
        case .transferIfInactive: .transferIfInactive
        }
    }
}

extension Place {
    /// How many accounts may share a purchase.
    private static let sharing: ClosedRange<Int64> = 2...100

    /// One of the words, or `share` with the number of accounts.
    func transferPolicy(_ problems: inout Problems) -> TransferPolicy? {
        if isMapping {
            guard var members = Members(self, &problems) else { return nil }
            let most = members.need(
                "share", "write how many accounts have a purchase at once, `share: 3`", &problems)?
                .number(Self.sharing, &problems)
            members.finish(&problems)
            return most.map { .share(upTo: $0) }
        }
        if node.scalar?.string == "share" {
            problems.add(self, "lacks a number: write `transfers: {share: 3}`.")
            return nil
        }
        guard let word = node.scalar.flatMap({ TransferWord(rawValue: $0.string) }) else {
            let words = TransferWord.allCases.map(\.rawValue).joined(separator: " or ")
            problems.add(self, "must be \(words) or {share: 3}.")
            return nil
        }
        return word.policy
    }
}
