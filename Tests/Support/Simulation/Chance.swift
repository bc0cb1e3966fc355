import TestFloor

/// Chance from a seed: the same seed draws the same for ever, on every machine.
public struct Chance: RandomNumberGenerator, Sendable {
    private var generator: SeededGenerator

    public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    public mutating func next() -> UInt64 { generator.next() }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// Whether something happens that does so in this many of a hundred cases.
    mutating func happens(_ percent: Int) -> Bool { number(1...100) <= percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }

    /// Picks a value as often as its weight says.
    mutating func pick<Element>(weighted elements: [(Int, Element)]) -> Element {
        var rest = number(1...elements.reduce(0) { $0 + $1.0 })
        for (weight, element) in elements {
            rest -= weight
            if rest <= 0 { return element }
        }
        preconditionFailure("weights are positive")
    }
}
