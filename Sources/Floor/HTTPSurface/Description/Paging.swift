package import AppStoreWire
import HTTPTypes
package import Hummingbird

/// How a list is given out, a page at a time: its parameters, what its pages look like and how
/// they are made, in one declaration.
///
/// A page ends at a known entry, not at a count, so that what comes meanwhile moves nothing.
package struct Paging: Sendable {
    /// Which entries the next page has.
    package enum Cursor: String, Sendable {
        /// Those before the last one, in lists that begin with the newest.
        case before
        /// Those after it.
        case after
    }

    private let member: StaticString
    private let entries: Schema
    private let cursor: OperationDescription.Parameter
    private let usual: Int
    private let most: Int64

    /// - Parameters:
    ///   - member: the member of the page that holds the entries.
    ///   - order: in which order they come, in words.
    ///   - last: what a cursor is, such as the number of the last entry.
    ///   - usual: how many a page has, and at most if more are asked for.
    package init(
        _ member: StaticString, _ order: String, of entry: Schema, _ cursor: Cursor,
        _ last: Schema, usual: Int = 50, most: Int64 = 200
    ) {
        self.member = member
        entries = .list(order, of: entry)
        self.cursor = .query(cursor.rawValue, last)
        self.usual = usual
        self.most = most
    }

    /// The parameters that every such list takes.
    package var parameters: [OperationDescription.Parameter] {
        [
            cursor,
            .query("limit", .integer("How many at most; \(usual) unless given.", 1...most)),
        ]
    }

    /// What a page looks like.
    ///
    /// - Parameter others: the members that it has before the entries.
    package func success(
        _ about: String, _ page: String, _ others: [Schema.Member] = []
    ) -> OperationDescription.Success {
        .ok(
            about,
            .object(
                page,
                others + [
                    .required("\(member)", entries),
                    .required("hasMore", .boolean("Whether there is a next page.")),
                ]))
    }

    /// Makes the page that is asked for.
    ///
    /// - Parameters:
    ///   - others: writes the members that it has before the entries.
    ///   - fetch: finds at most so many entries behind a cursor.
    ///   - write: writes an entry as an element of the list.
    package func page<Entry>(
        _ input: Input, others: (inout JSONWriter) -> Void = { _ in },
        _ fetch: (_ cursor: Int64?, _ limit: Int) async throws -> [Entry],
        writing write: (Entry, inout JSONWriter) -> Void
    ) async throws -> Response {
        try await page(
            input, others: others, { limit in try await fetch(input.cursor(cursor.name), limit) },
            writing: write)
    }

    /// The same of a list in the order of names, whose cursor is a name.
    package func pageByName<Entry>(
        _ input: Input, others: (inout JSONWriter) -> Void = { _ in },
        _ fetch: (_ cursor: String?, _ limit: Int) async throws -> [Entry],
        writing write: (Entry, inout JSONWriter) -> Void
    ) async throws -> Response {
        try await page(
            input, others: others,
            { limit in try await fetch(input.parameter(cursor.name)?.string, limit) },
            writing: write)
    }

    private func page<Entry>(
        _ input: Input, others: (inout JSONWriter) -> Void,
        _ fetch: (_ limit: Int) async throws -> [Entry],
        writing write: (Entry, inout JSONWriter) -> Void
    ) async throws -> Response {
        let limit = input.parameter("limit")?.integer.map(Int.init) ?? usual
        // One more than is shown says whether there is a next page.
        let found = try await fetch(limit + 1)
        return .object { json in
            others(&json)
            json.array(member) { json in
                for entry in found.prefix(limit) { write(entry, &json) }
            }
            json.field("hasMore", found.count > limit)
        }
    }
}
