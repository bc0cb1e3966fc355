package import Storage

/// Which processes share a database and what they have: no part of what is copied or comes back.
package struct ServingRows: Sendable {
    private let processes: [[SQLValue]]
    private let claims: [[SQLValue]]

    /// Reads what there is.
    package init(of session: any Session) throws {
        processes = try session.rows(
            "SELECT id, name, version, started_at, seen_at, swept FROM process"
        ).map(\.values)
        claims = try session.rows("SELECT name, process, held_until FROM claim").map(\.values)
    }

    /// Puts them in the place of what a database has.
    package func replace(in session: any Session) throws {
        try ServingRows.remove(from: session)
        try session.executeMany(
            "INSERT INTO process (id, name, version, started_at, seen_at, swept) "
                + "VALUES ($1, $2, $3, $4, $5, $6)", processes)
        try session.executeMany(
            "INSERT INTO claim (name, process, held_until) VALUES ($1, $2, $3)", claims)
    }

    /// A copy is served by nobody.
    package static func remove(from session: any Session) throws {
        try session.execute("DELETE FROM claim")
        try session.execute("DELETE FROM process")
    }
}
