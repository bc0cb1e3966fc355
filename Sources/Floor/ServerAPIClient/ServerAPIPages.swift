/// What a page says of the next one.
struct NextPage: Sendable {
    let exists: Bool
    /// `revision` or `paginationToken`.
    let token: String?
}

/// All pages of a list, each fetched when it is asked for; iteration throws ``ServerAPIError``.
///
/// Iterating again begins anew.
public struct ServerAPIPages<Page: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Page
    public typealias Failure = ServerAPIError

    /// Fetches the page at a place; nil is the first.
    let fetch: @Sendable (String?) async throws(ServerAPIError) -> Page
    /// What a page says of the next one.
    let next: @Sendable (Page) -> NextPage

    /// One way through the pages.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Element = Page
        public typealias Failure = ServerAPIError

        fileprivate let pages: ServerAPIPages<Page>
        private var place: String?
        private var isAtEnd = false

        fileprivate init(_ pages: ServerAPIPages<Page>) { self.pages = pages }

        /// The next page; after a failure, the same page once more.
        public mutating func next() async throws(ServerAPIError) -> Page? {
            guard !isAtEnd else { return nil }
            let page = try await pages.fetch(place)
            let next = pages.next(page)
            // Such a list would end too early, or never.
            guard !next.exists || next.token.map({ $0 != place }) ?? false else {
                throw ServerAPIError(
                    .unreadableReply, "a page names no next one though there are more.")
            }
            isAtEnd = !next.exists
            place = next.token
            return page
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
