import DueWork
import Storage

extension Schema {
    /// What a process has to itself has a name: a lane of notifications, or the clock. A process
    /// of an earlier version would not see it, so this is no step that only adds.
    static let claims = Migration("0021 claims") { dialect in
        ["DROP TABLE lane_claim"] + Claim.table(dialect)
    }
}
