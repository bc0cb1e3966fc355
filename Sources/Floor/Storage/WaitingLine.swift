/// Those who wait for their turn, first come first served.
package struct WaitingLine<Waiter: Sendable>: Sendable {
    // By number, so that whoever leaves the line in its midst moves nobody.
    private var waiters: [Int: Waiter] = [:]
    private var first = 0
    private var next = 0

    /// Makes an empty line.
    package init() {}

    /// How many wait.
    package var count: Int { waiters.count }

    /// Puts somebody at the end.
    ///
    /// - Returns: the number by which `leave` knows the place.
    package mutating func enter(_ waiter: Waiter) -> Int {
        waiters[next] = waiter
        defer { next += 1 }
        return next
    }

    /// Takes out who gives up waiting; nil for one whose turn has come.
    package mutating func leave(_ number: Int) -> Waiter? {
        waiters.removeValue(forKey: number)
    }

    /// Takes out those whose turn it is, the first ones first.
    package mutating func takeFirst(_ most: Int = 1) -> [Waiter] {
        var taken: [Waiter] = []
        while taken.count < most, first < next {
            if let waiter = waiters.removeValue(forKey: first) { taken.append(waiter) }
            first += 1
        }
        return taken
    }

    /// Takes out everybody.
    package mutating func takeAll() -> [Waiter] { takeFirst(.max) }
}
