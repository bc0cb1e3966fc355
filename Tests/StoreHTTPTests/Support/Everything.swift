import Storage
import TestSupport

extension HTTPWorld {
    /// Everything that the database holds, as text: equal before and after what changes nothing.
    func everything(besides: Set<String> = []) async throws -> String {
        try await world.database.read { session in
            let tables = try session.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            ).map { try $0.text(0) }.filter { !besides.contains($0) }
            return try tables.map { table in
                let rows = try session.rows("SELECT * FROM \(raw: table)").map { "\($0.values)" }
                return "\(table): \(rows.sorted())"
            }.joined(separator: "\n")
        }
    }
}
