import AppStoreWire

extension StoreClient {
    /// The most elements that a page of these lists has.
    private static let largestPage = 200

    /// Reads the pages of a list as if they were one.
    ///
    /// - Parameters:
    ///   - list: the member that holds the elements.
    ///   - limit: how many elements at most.
    ///   - next: puts the place behind the last element into the path.
    func pages(
        _ path: StorePath, list: String, limit: Int, largestPage: Int = Self.largestPage,
        next: (StorePath, Answer?) throws -> StorePath
    ) async throws -> Answer {
        var elements: [JSONValue] = []
        while true {
            let size = min(limit - elements.count, largestPage)
            let last = elements.last.map { Answer(value: $0, source: path.text) }
            let page = try await get(next(path, last).with("limit", String(size)))
            let found = try page.list(list)
            elements += found.map(\.value)
            let hasMore = try page.bool("hasMore")
            guard hasMore, !found.isEmpty, elements.count < limit else {
                var members = page.value.object ?? [:]
                members[list] = .array(elements)
                return Answer(value: .object(members), source: path.text)
            }
        }
    }
}
