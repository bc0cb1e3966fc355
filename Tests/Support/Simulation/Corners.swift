/// What random worlds have to come to, so that a test of a few of them says something of all.
public enum Corners {
    /// Each by its name in the tallies.
    public static let all = [
        "crash", "grace", "recovered in grace", "recovered in retry", "refunded", "upgraded",
        "introductory offer", "subscribed again", "over (1)", "over (2)", "over (3)", "over (4)",
        "extended", "consent asked", "notice given", "renewed at a higher price",
        "refund in full", "refund of a part", "refund reversed", "reduced commission",
        "decided by itself", "raise: done", "consume: done", "cancel: done", "name: done",
        "level: done", "provoke: done", "answerBill: answered", "answerBill: ignored",
        "answerBill: gaveBack", "answerBill: reported", "answered by itself",
        "given up after a day", "renewal awaited", "waited too long", "renewal paid later",
        "renewal declined later", "recovery paid later", "planChange paid later",
        "purchase paid later", "oneTimePurchase paid later", "reversed by the bank",
        "restored by the bank", "several lines", "other lines chosen", "promotional offer",
        "offer of the running plan", "offer of a plan that waits", "price increase of one line",
        "price of one line lowered", "one increase told before another",
        "over for want of an answer about one line", "a part shared by lines",
        "bundle: alreadySubscribed", "bundle: invalidLines", "bundle: paymentPending",
        "reprice: unknownProduct", "dearer after an offer", "several increases told at once",
        "month of a commitment", "owed although renewal is off", "commitment fulfilled, and on",
        "another plan waits for the end of a commitment", "the same paid in another way",
        "left a commitment at once", "commitment extended", "month failed without grace",
        "month recovered", "commitment over", "commitment broken off (2)", "month refunded",
        "month taken back is owed again", "commitment dearer", "month cheaper",
        "commitment honoured", "offer redeemed in a commitment", "bought anew in retry of a month",
        "family is full", "shared", "sharing ended", "code redeemed", "code: codeRedeemed",
        "request approved", "request lapsed", "deleted", "commitment buy: notBilledMonthly",
        "commitment choose: done", "merchant's plan of several items", "merchant's offer",
        "merchant's price raised", "merchant's price lowered", "item declined",
        "item ended for want of consent", "items ended with another",
        "merchant create: alreadyActive", "merchant prices: notEligible",
        "merchant prices: invalidSKU", "merchant cancel: done",
        "items changed in the cycle", "items changed, a new cycle", "items wait for the renewal",
        "another period at once", "another period with the renewal", "other words",
        "item prorated by the merchant", "offer of an item that comes",
        "changed beside what waits", "the same waits already", "unused share of an item",
        "increase void by a change of items",
        "all items renew again", "some items renew again", "what was to go comes back",
        "came back at a price that was told", "came back, and agreed",
        "merchant's price of what comes", "merchant's price after what comes",
        "called something else",
        "to be called something else", "item under another SKU", "increase under another SKU",
        "items asked back", "items given back at once", "items ended by a refund",
        "nothing left to renew", "revoked at once", "revocation asked for",
        "several receipts of a cycle revoked", "migrated", "unused share of what was migrated",
        "renamed item beside a change", "merchant's price under a name to come",
        "migrated with a plan that waits", "increase migrated",
        "what was paid before a migration is revoked", "items ended with an older receipt",
        "items given back after the whole", "items that wait for the whole to come back",
        "items that come back",
    ]
}

extension Outlook {
    /// A few of the seeds that together reach every corner that any of them does, found greedily:
    /// next is always the one that adds most.
    public var cover: [UInt64] {
        var missing = Set(Corners.all).intersection(tally.keys)
        var chosen: [UInt64] = []
        while !missing.isEmpty {
            // Of equals the lowest, so that the same worlds give the same list.
            let best = reached.max { one, other in
                let (gain, others) = (
                    one.value.intersection(missing).count, other.value.intersection(missing).count
                )
                return gain == others ? one.key > other.key : gain < others
            }!
            chosen.append(best.key)
            missing.subtract(best.value)
        }
        return chosen.sorted()
    }

    /// The corners that none of the seeds reaches.
    public var unreached: [String] { Corners.all.filter { tally[$0] == nil } }
}
