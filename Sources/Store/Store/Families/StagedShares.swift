import Storage

/// The shares that a change has read or made, as they are by now: what it makes of one is written
/// at its end, and one batch may renew a purchase twice.
struct StagedShares {
    /// By the purchaser's original transaction.
    private var known: [Int64: [FamilyShare]] = [:]
    private var changed: Set<Int64> = []

    /// Who has something of a purchase, or had it.
    mutating func all(
        ofSource source: Int64, in session: any Session
    ) throws -> [FamilyShare] {
        if let shares = known[source] { return shares }
        let shares = try FamilyShare.all(ofSource: source, in: session)
        known[source] = shares
        return shares
    }

    /// Whether a member has, or had, something of a group.
    func has(
        member: Int64, app: Int64, groupID: String, in session: any Session
    ) throws -> Bool {
        let isKnown = known.values.joined().contains {
            $0.member == member && $0.app == app && $0.groupID == groupID
        }
        return try isKnown
            || FamilyShare.exists(member: member, app: app, groupID: groupID, in: session)
    }

    /// Keeps what one has become; it was asked for by its purchase before.
    mutating func stage(_ share: FamilyShare) {
        changed.insert(share.id)
        if let place = known[share.source]?.firstIndex(where: { $0.id == share.id }) {
            known[share.source]?[place] = share
        } else {
            known[share.source, default: []].append(share)
        }
    }

    /// Writes what has changed.
    mutating func write(in session: any Session) throws {
        guard !changed.isEmpty else { return }
        let shares = known.values.joined().filter { changed.contains($0.id) }
        for share in shares.sorted(by: { $0.id < $1.id }) { try share.save(in: session) }
        changed = []
    }
}
