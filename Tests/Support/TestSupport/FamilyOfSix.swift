/// Six people through two years: what happens on which day, and who has access to what from then
/// on, stated beforehand for whoever plays it.
public enum FamilyOfSix {
    /// Who there is, in the order in which each day says what they have.
    public static let names = ["ada", "bea", "carl", "dora", "emil", "fay"]

    /// Something that somebody does.
    public enum Act: Sendable, Hashable {
        case creates(String, with: [String])
        case buys(String, String)
        case joins(String)
        case leaves(String)
        case isRemoved(String)
        case chooses(String, String)
        case isRefunded(String)
        case turnsRenewalOff(String)
        case shares(String, Bool)
        case endsFamily
    }

    /// A day.
    public struct Day: Sendable {
        public let date: String
        public let acts: [Act]
        /// What each of them has; what came by sharing has a star.
        public let has: [String: [String]]

        init(_ date: String, _ acts: [Act], _ has: String...) {
            self.date = date
            self.acts = acts
            let products = has.map { $0.split(separator: " ").map(String.init).sorted() }
            self.has = Dictionary(uniqueKeysWithValues: zip(names, products))
        }
    }

    private static let m = "family.monthly*"
    private static let p = "family.plus*"
    private static let l = "lifetime*"

    public static let days = [
        Day("2026-01-01", [.creates("ada", with: ["bea"])], "", "", "", "", "", ""),
        Day(
            "2026-01-10", [.buys("ada", "family.monthly")],
            "family.monthly", m, "", "", "", ""),
        // After a renewal.
        Day(
            "2026-02-15", [.joins("carl"), .joins("dora")],
            "family.monthly", m, m, m, "", ""),
        Day(
            "2026-03-31", [.buys("carl", "lifetime"), .joins("emil")],
            "family.monthly \(l)", "\(m) \(l)", "\(m) lifetime", "\(m) \(l)", "\(m) \(l)", ""),
        // Fay has a subscription of her own, and keeps it all along.
        Day(
            "2026-05-05", [.buys("fay", "single.monthly"), .joins("fay")],
            "family.monthly \(l)", "\(m) \(l)", "\(m) lifetime", "\(m) \(l)", "\(m) \(l)",
            "\(m) \(l) single.monthly"),
        Day(
            "2026-06-20", [.chooses("ada", "family.plus")],
            "family.plus \(l)", "\(p) \(l)", "\(p) lifetime", "\(p) \(l)", "\(p) \(l)",
            "\(p) \(l) single.monthly"),
        Day(
            "2026-08-01", [.leaves("dora")],
            "family.plus \(l)", "\(p) \(l)", "\(p) lifetime", "", "\(p) \(l)",
            "\(p) \(l) single.monthly"),
        Day(
            "2026-09-09", [.isRefunded("ada")],
            l, l, "lifetime", "", l, "\(l) single.monthly"),
        Day(
            "2026-12-24", [.buys("ada", "family.monthly")],
            "family.monthly \(l)", "\(m) \(l)", "\(m) lifetime", "", "\(m) \(l)",
            "\(m) \(l) single.monthly"),
        // Carl takes with him what he bought.
        Day(
            "2027-01-31", [.isRemoved("carl")],
            "family.monthly", m, "lifetime", "", m, "\(m) single.monthly"),
        Day(
            "2027-02-02", [.joins("dora")],
            "family.monthly", m, "lifetime", m, m, "\(m) single.monthly"),
        // The period that runs is served to its end.
        Day(
            "2027-04-01", [.turnsRenewalOff("ada")],
            "family.monthly", m, "lifetime", m, m, "\(m) single.monthly"),
        Day("2027-05-01", [], "", "", "lifetime", "", "", "single.monthly"),
        Day(
            "2027-06-01", [.buys("bea", "family.monthly")],
            m, "family.monthly", "lifetime", m, m, "\(m) single.monthly"),
        Day(
            "2027-08-15", [.shares("bea", false)],
            "", "family.monthly", "lifetime", "", "", "single.monthly"),
        Day(
            "2027-09-01", [.shares("bea", true)],
            m, "family.monthly", "lifetime", m, m, "\(m) single.monthly"),
        Day(
            "2027-11-30", [.endsFamily],
            "", "family.monthly", "lifetime", "", "", "single.monthly"),
        Day("2028-01-01", [], "", "family.monthly", "lifetime", "", "", "single.monthly"),
    ]
}
