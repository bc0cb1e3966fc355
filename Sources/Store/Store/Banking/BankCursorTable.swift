import Storage

/// Up to where the list of changes of a bank outside was read; one row at most.
enum BankCursor {
    static func find(in session: any Session) throws -> String? {
        try session.row("SELECT place FROM bank_cursor").map { try $0.text(0) }
    }

    static func save(_ place: String, in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO bank_cursor (id, place) VALUES (1, \(place))
            ON CONFLICT (id) DO UPDATE SET place = excluded.place
            """)
    }
}
