import FoundationEssentials
import Storage
import SubscriptionRules

/// How far a campaign is that was started, whatever it does: a closed list.
public enum CampaignRunState: String, Hashable, Sendable, CaseIterable {
    /// It is there, and its audience is still being written down.
    case planned
    case running
    /// Nothing goes out until it is resumed.
    case paused
    /// The merchant ended it; what went out stays.
    case stopped
    /// Nothing lies ahead for anybody.
    case done
}

/// A campaign that was started: a name is started once in an app.
struct CampaignRow: StoredRecord {
    var id: Int64
    var app: Int64
    var name: String
    /// A `CampaignDefinition.Kind`.
    var kind: CampaignDefinition.Kind
    /// The file, as it was given.
    var file: String
    /// The files that it names, as a JSON object.
    var attachments: String
    var state: CampaignRunState
    var started: Instant
    /// When it was paused, stopped, resumed or done last.
    var moved: Instant
    /// How far its audience is written down: the last purchase; nil before the first.
    var cursor: Int64?
    /// Why it stands still, where it does; it goes on by itself.
    var problem: String?

    static let blank = CampaignRow(
        id: 0, app: 0, name: "", kind: .price, file: "", attachments: "{}", state: .planned,
        started: Instant(milliseconds: 0), moved: Instant(milliseconds: 0), cursor: nil,
        problem: nil)

    /// The statements that make its table.
    static func table(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE campaign (
                id \(dialect.integerKey),
                app \(integer) NOT NULL REFERENCES app (id),
                name TEXT NOT NULL,
                kind TEXT NOT NULL,
                file TEXT NOT NULL,
                attachments TEXT NOT NULL,
                state TEXT NOT NULL,
                started_at \(integer) NOT NULL,
                moved_at \(integer) NOT NULL,
                last_purchase \(integer),
                problem TEXT,
                UNIQUE (app, name)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX campaign_by_state ON campaign (state, id)",
        ]
    }

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("id", &id)
        try columns.column("app", &app)
        try columns.column("name", &name)
        try columns.column("kind", &kind)
        try columns.column("file", &file)
        try columns.column("attachments", &attachments)
        try columns.column("state", &state)
        try columns.column("started_at", &started)
        try columns.column("moved_at", &moved)
        try columns.column("last_purchase", &cursor)
        try columns.column("problem", &problem)
    }

    private static let register = Register<Self>(table: "campaign", key: ["id"])

    /// Writes it down for the first time, in a transaction that is alone.
    ///
    /// - Returns: it with its number; nil where the app has one of this name.
    func begin(_ session: any Session) throws(StorageError) -> CampaignRow? {
        guard try CampaignRow.find(name, of: app, session) == nil else { return nil }
        let last = try session.row("SELECT MAX(id) FROM campaign")?.integerOrNil(0)
        var row = self
        row.id = (last ?? 0) + 1
        try row.save(session)
        return row
    }

    func save(_ session: any Session) throws(StorageError) {
        _ = try Self.register.take(self, session)
    }

    /// One by its number, locked until the transaction ends where databases lock rows.
    static func locked(
        _ id: Int64, _ session: any Session
    ) throws(StorageError) -> CampaignRow? {
        try register.records(where: "id = \(id)\(raw: session.dialect.lockRow)", session).first
    }

    /// One by its number, to be read only.
    static func find(
        _ id: Int64, _ session: any Session
    ) throws(StorageError) -> CampaignRow? {
        try register.records(where: "id = \(id)", session).first
    }

    static func find(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> CampaignRow? {
        try register.records(where: "app = \(app) AND name = \(name)", session).first
    }

    /// The files that a campaign names, out of the text that is kept.
    static func files(_ text: String) throws(StorageError) -> [String: String] {
        guard let files = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        else { throw StorageError(.corrupt, "the files of a campaign cannot be read") }
        return files
    }

    /// Those of some apps in some states, the oldest first.
    static func all(
        of apps: [Int64], in states: [CampaignRunState], _ session: any Session
    ) throws(StorageError) -> [CampaignRow] {
        try register.records(
            where: """
                state IN (\(list: states.map(\.rawValue))) AND app IN (\(list: apps)) ORDER BY id
                """, session)
    }
}
