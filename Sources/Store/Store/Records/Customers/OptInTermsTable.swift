import AppStoreWire
import Storage
import SubscriptionRules

/// What apps want of customers, as it is stored: a row for those that want anything.
extension OptInTerms {
    static let columns = "app, names, bonus"

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "opt_in_terms", OptInTerms.columns)
        self.init(
            names: try row.decoded(1) { text throws(StorageError) in
                try StoredJSON(text).objects("names").map { one throws(StorageError) in
                    Name(locale: try one.string("locale"), name: try one.string("name"))
                }
            }, bonus: try row.parsedOrNil(2, CalendarPeriod.init(iso8601:)))
    }

    /// What all apps want, by app.
    static func all(in session: any Session) throws -> [Int64: OptInTerms] {
        var terms: [Int64: OptInTerms] = [:]
        for row in try session.rows("SELECT \(raw: columns) FROM opt_in_terms") {
            terms[try row.integer(0)] = try OptInTerms(row)
        }
        return terms
    }

    func save(app: Int64, in session: any Session) throws {
        guard !names.isEmpty else {
            try session.execute("DELETE FROM opt_in_terms WHERE app = \(app)")
            return
        }
        var json = JSONWriter()
        json.object { json in
            json.array("names") { json in
                for one in names {
                    json.elementObject { json in
                        json.field("locale", one.locale)
                        json.field("name", one.name)
                    }
                }
            }
        }
        try session.execute(
            """
            INSERT INTO opt_in_terms (app, names, bonus)
            VALUES (\(app), \(String(decoding: json.bytes, as: UTF8.self)), \(bonus?.iso8601))
            ON CONFLICT (app) DO UPDATE SET names = excluded.names, bonus = excluded.bonus
            """)
    }
}
