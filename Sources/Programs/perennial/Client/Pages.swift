import AppStoreWire
import ConnectAnswers

extension StoreClient {
    /// Whether an element of a list is of the app that was named; nil where none was.
    ///
    /// - Throws: `Failure` for an app that there is not.
    func isOfItsApp() async throws -> ((Answer) throws -> Bool)? {
        guard let bundleID else { return nil }
        _ = try await get(StorePath("connect", "v1", "apps", bundleID))
        return { try $0.text("bundleId") == bundleID }
    }

    /// The most elements that a page of these lists has.
    private static let largestPage = 200

    /// Reads the pages of a list as if they were one.
    ///
    /// - Parameters:
    ///   - list: the member that holds the elements.
    ///   - limit: how many elements at most.
    ///   - isWanted: whether an element counts; all do unless it is given.
    ///   - next: puts the place behind the last element into the path.
    func pages(
        _ path: StorePath, list: String, limit: Int, largestPage: Int = Self.largestPage,
        where isWanted: ((Answer) throws -> Bool)? = nil,
        next: (StorePath, Answer?) throws -> StorePath
    ) async throws -> Answer {
        var elements: [Answer] = []
        var last: Answer?
        while true {
            let rest = limit - elements.count
            // Of what is sifted most may fall through.
            let size = isWanted == nil ? min(rest, largestPage) : largestPage
            let page = try await get(next(path, last).with("limit", String(size)))
            let found = try page.list(list)
            last = found.last
            let wanted = try isWanted.map { try found.filter($0) } ?? found
            elements += wanted.prefix(rest)
            let hasMore = try page.bool("hasMore")
            guard hasMore, !found.isEmpty, elements.count < limit else {
                var members = page.value.object ?? [:]
                members[list] = .array(elements.map(\.value))
                members["hasMore"] = .bool(hasMore || wanted.count > rest)
                return Answer(value: .object(members), source: path.text)
            }
        }
    }
}
