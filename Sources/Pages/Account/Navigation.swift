import HTMLPages

/// What a customer finds on every page.
enum Navigation {
    /// - Parameter path: of the present page.
    static func links(_ words: any AccountWords, at path: String) -> [PageLink] {
        let groups: [(text: String, href: String, below: [String])] = [
            (words.subscriptions, AccountPath.overview, ["/account/subscriptions"]),
            (words.purchases, AccountPath.purchases, [AccountPath.purchases]),
            (words.family, AccountPath.family, [AccountPath.family]),
            (words.mailbox, AccountPath.mailbox, [AccountPath.mailbox]),
            (words.redeemCode, AccountPath.redeem, [AccountPath.redeem]),
            (words.purchaseHelp, AccountPath.help, [AccountPath.help]),
        ]
        return groups.map { group in
            PageLink(
                group.text, group.href,
                isCurrent: path == group.href
                    || group.below.contains { path == $0 || path.hasPrefix("\($0)/") })
        }
    }
}
