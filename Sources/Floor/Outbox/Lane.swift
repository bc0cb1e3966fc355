package import DueWork
import Synchronization
package import TimeAndChance

/// Whose messages go out side by side: those that have one server. What that server does costs
/// this lane alone.
///
/// The numbers are those of the table, so that a row that cannot be read has a lane as well, in
/// which it is found and set aside.
package struct Lane: Hashable, Sendable {
    /// The table of the messages.
    package let table: String
    /// What its columns hold (`OutboxTable.laneColumns`).
    package let numbers: [Int64]

    package init(in table: String, _ numbers: [Int64]) {
        self.table = table
        self.numbers = numbers
    }

    /// What whoever delivers in it has to itself.
    package var claim: Claim {
        Claim("\(table) " + numbers.map { String($0) }.joined(separator: "/"))
    }
}

/// Everybody of this process who delivers in a lane takes turns there.
package final class LaneTurns: Sendable {
    private let turns = Mutex<[Lane: AsyncTurn]>([:])

    package init() {}

    package subscript(lane: Lane) -> AsyncTurn {
        turns.withLock { turns in
            if let turn = turns[lane] { return turn }
            let turn = AsyncTurn()
            turns[lane] = turn
            return turn
        }
    }
}
