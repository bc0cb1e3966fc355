import Storage
import SubscriptionRules

/// A name in a stored world that this version does not know: of a storefront that another version
/// added, or that something has damaged. The row cannot be read.
public struct UnknownName: Sendable, Hashable {
    /// The table and the row, such as `subscription 17`: the first one found.
    public let place: String
    /// What is not known: `storefront` or `currency`.
    public let kind: String
    /// The name, or nil where it is no name at all.
    public let name: String?
}

extension Store {
    /// How many rows of a table are looked at from each end: old names are among the first, those
    /// of a newer version among the last.
    private static let looked: Int64 = 1000

    /// Looks at the storefronts and currencies that the first and the last rows name, which takes
    /// no longer in a large world. `WorldCheck` reads every row.
    public func unknownNames() async throws -> [UnknownName] {
        try await database.read { session in
            var found: [UnknownName] = []
            for column in NameColumn.all {
                var rows: [String: Int64] = [:]
                for order in ["ASC", "DESC"] {
                    for row in try session.rows(column.query(order, limit: Self.looked)) {
                        let (first, name) = (try row.integer(0), try row.text(1))
                        rows[name] = min(first, rows[name] ?? first)
                    }
                }
                for (text, id) in rows {
                    guard let unknown = column.unknownName(in: text) else { continue }
                    found.append(
                        UnknownName(
                            place: "\(column.table) \(id)", kind: column.kind.rawValue,
                            name: unknown.printable))
                }
            }
            return found.sorted { ($0.place, $0.kind) < ($1.place, $1.kind) }
        }
    }
}

/// A column that names a storefront or a currency, or holds a text that does.
private struct NameColumn: Sendable {
    enum Kind: String {
        case storefront
        case currency
    }

    let table: String
    let column: String
    let kind: Kind
    /// The names in a value of the column; nil where it cannot be read, which is another matter.
    let names: @Sendable (String) -> [String]?

    init(
        _ table: String, _ column: String, _ kind: Kind,
        names: @escaping @Sendable (String) -> [String]? = { [$0] }
    ) {
        self.table = table
        self.column = column
        self.kind = kind
        self.names = names
    }

    static let all = [
        NameColumn("customer", "storefront", .storefront),
        NameColumn("subscription", "storefront", .storefront),
        NameColumn("subscription", "plan", .currency, names: currency),
        NameColumn("store_transaction", "storefront", .storefront),
        NameColumn("store_transaction", "currency", .currency),
        NameColumn("price_change", "storefront", .storefront),
        NameColumn("mass_extension", "storefronts", .storefront) {
            $0.split(separator: " ").map(String.init)
        },
    ]

    /// The currency of a plan's text.
    private static let currency: @Sendable (String) -> [String]? = { text in
        (try? StoredJSON(text)).flatMap { $0.stringOrNil("currency") }.map { [$0] }
    }

    /// The first row of each value, and the value.
    func query(_ order: String, limit: Int64) -> SQL {
        """
        SELECT MIN(id), name FROM (
            SELECT id, \(raw: column) AS name FROM \(raw: table)
            WHERE \(raw: column) IS NOT NULL
            ORDER BY id \(raw: order) LIMIT \(limit)) looked
        GROUP BY name
        """
    }

    func unknownName(in text: String) -> String? {
        names(text)?.first { name in
            switch kind {
            case .storefront: Storefront(code: name) == nil
            case .currency: Currency(everUsed: name) == nil
            }
        }
    }
}

extension String {
    /// The text where it may be a name, so that what damage wrote is not shown.
    fileprivate var printable: String? {
        let isName = utf8.count <= 8 && utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName && !isEmpty ? self : nil
    }
}
