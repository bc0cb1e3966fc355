import Synchronization
import Testing

@testable import Store

@Suite("Pace")
struct PaceTests {
    /// A stopwatch that shows what it is told to.
    private final class Stopwatch: Sendable {
        private let shown = Mutex(Duration.zero)

        var now: Duration { shown.withLock { $0 } }

        func pass(_ time: Duration) { shown.withLock { $0 += time } }
    }

    @Test(
        "What takes long becomes less, and what is quickly done more",
        arguments: [
            // Six milliseconds for a thousand, with five allowed.
            (1000, 1000, 6, 833), (1000, 1000, 50, 100), (1000, 1000, 60_000, 50),
            (1000, 300, 100, 50), (1000, 1000, 5, 1000), (1000, 1000, 0, 1000),
            // There was no more to do: nothing is learnt from that.
            (1000, 3, 0, 1000),
        ])
    func learns(_ most: Int, _ count: Int, _ milliseconds: Int, _ expected: Int) {
        let stopwatch = Stopwatch()
        let pace = Pace(most: most) { stopwatch.now }
        pace.makeWay()
        let done = pace.measure(pace.size) {
            stopwatch.pass(.milliseconds(milliseconds))
            return ("done", count: count)
        }
        #expect(done == "done")
        #expect(pace.size == expected)
    }

    @Test("It grows again up to what it may be, and a small most is also the least")
    func grows() {
        let stopwatch = Stopwatch()
        let pace = Pace(most: 300) { stopwatch.now }
        pace.makeWay()
        func take(_ time: Duration) -> Int {
            pace.measure(pace.size) {
                stopwatch.pass(time)
                return ((), count: pace.size)
            }
            return pace.size
        }
        #expect([take(.seconds(1)), take(.milliseconds(2))] == [50, 100])
        #expect(take(.milliseconds(4)) == 100)
        #expect([take(.milliseconds(2)), take(.zero), take(.zero)] == [200, 300, 300])
        let single = Pace(most: 1) { stopwatch.now }
        single.measure(1) {
            stopwatch.pass(.seconds(1))
            return ((), count: 1)
        }
        #expect(single.size == 1)
    }

    @Test("Where nobody else has written for fifty pieces it takes up all it may")
    func alone() {
        let stopwatch = Stopwatch()
        let pace = Pace(most: 1000) { stopwatch.now }
        func take() {
            pace.measure(pace.size) {
                stopwatch.pass(.milliseconds(50))
                return ((), count: 1000)
            }
        }
        take()
        #expect(pace.size == 1000)
        pace.makeWay()
        #expect(pace.size == 100)
        for _ in 1..<50 { take() }
        #expect(pace.size == 100)
        take()
        #expect(pace.size == 1000)
    }
}
