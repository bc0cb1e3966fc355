import FoundationEssentials

/// Several things at a time.
enum Parallel {
    /// How many things that need a processor are done at a time.
    static let width = max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Does something with each element, so many at a time.
    ///
    /// - Returns: what came of each, in the order of the elements.
    static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], width: Int,
        _ work: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var values: [Int: Value] = [:]
            var next = 0
            while next < elements.count, next < width {
                let (index, element) = (next, elements[next])
                group.addTask { (index, try await work(element)) }
                next += 1
            }
            while let (index, value) = try await group.next() {
                values[index] = value
                if next < elements.count {
                    let (index, element) = (next, elements[next])
                    group.addTask { (index, try await work(element)) }
                    next += 1
                }
            }
            return elements.indices.compactMap { values[$0] }
        }
    }
}
