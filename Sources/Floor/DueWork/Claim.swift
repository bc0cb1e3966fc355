/// Something that one process at a time does, of those that share a database: moving the clock,
/// delivering what has one receiver.
///
/// It is a process's until that one lets go of it, or has not been heard of for a while.
package struct Claim: Hashable, Sendable {
    /// What it is on, unique in the database.
    package let name: String

    package init(_ name: String) { self.name = name }
}
