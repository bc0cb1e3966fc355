import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Logging
import Storage
import SubscriptionRules

/// A second program on the floor, as small as one can be: notes that are kept in a database. It
/// imports nothing of the store.
struct NoteServer: Sendable {
    let database: any Database
    let health: HealthWatch
    let traffic = Traffic()
    let now: @Sendable () -> Instant

    static let secret = SharedSecret("notes-0123456789")

    static let migrations = [
        Migration("notes") { dialect in
            [
                """
                CREATE TABLE note (id \(dialect.integer) NOT NULL PRIMARY KEY, body TEXT NOT NULL
                    UNIQUE)\(dialect.tableOptions)
                """
            ]
        }
    ]

    static let surface = Surface(
        "notes", "What is to be remembered.", root: "notes",
        errors: CodedErrors(
            program: "notebook",
            translate: { error in
                guard (error as? StorageError)?.code == .uniqueViolation else { return nil }
                return ErrorBody(.conflict, "noteExists", "It is noted already.", field: "text")
            }))

    static let pages = Paging(
        "notes", "Oldest first.", of: .named("Note"), .after,
        .identifier("The id of the last one of the page before."), usual: 2, most: 3)

    static let list = Endpoint<NoteServer>(
        .get, "/notes/v1/notes", "listNotes", on: surface,
        OperationDescription(
            .everybody, "List the notes", parameters: pages.parameters,
            success: pages.success("A page of notes.", "Notes."))
    ) { call, input in
        try await pages.page(input) { after, limit in
            try await call.site.database.read { session in
                try session.rows(
                    """
                    SELECT id, body FROM note WHERE id > \(after ?? 0) ORDER BY id LIMIT \(limit)
                    """
                ).map { (id: try $0.integer(0), text: try $0.text(1)) }
            }
        } writing: { note, json in
            json.elementObject { json in
                json.field("id", String(note.id))
                json.field("text", note.text)
            }
        }
    }

    static let add = Endpoint<NoteServer>(
        .post, "/notes/v1/notes", "addNote", on: surface,
        OperationDescription(
            .token("owner"), "Add a note",
            body: .members(
                .object("A note.", .required("text", .text("What it says.", 1...20)))),
            success: .created("Its number.", .named("Note")),
            failures: [
                .init(.conflict, "noteExists"), .init(.tooManyRequests, "tooManyRequests"),
            ]),
        admit: { call in
            guard secret.matches(try call.bearerToken()) else { throw Unauthenticated() }
            let now = call.site.now()
            let key = RateLimiter.Key(caller: "owner", endpoint: "addNote", server: "notes")
            if let next = call.site.traffic.take(key, limit: 20, at: now) {
                throw RateLimitExceeded(nextAllowed: next, now: now)
            }
        }
    ) { call, input in
        let text = input.requiredText("text")
        let id = try await call.site.database.write { session in
            let last = try session.row("SELECT COALESCE(MAX(id), 0) FROM note")?.integer(0) ?? 0
            try session.execute("INSERT INTO note (id, body) VALUES (\(last + 1), \(text))")
            return last + 1
        }
        return .object(status: .created) { json in
            json.field("id", String(id))
            json.field("text", text)
        }
    }
}

extension NoteServer {
    static let describe: Endpoint<NoteServer> = Endpoint(
        .get, "/openapi.json", "describe", on: surface,
        description: OperationDescription(
            .tools, "Describe this server",
            success: .ok("The description.", .anything("An OpenAPI document.")))
    ) { _ in .json(OpenAPIDocument(subject, table)) }

    static let measure = Endpoint<NoteServer>(
        .get, "/metrics", "measure", on: surface,
        description: OperationDescription(
            .tools, "Show metrics",
            success: .init(
                status: .ok, about: "The metrics.", schema: .text("Prometheus text."),
                mediaType: "text/plain"))
    ) { call in
        var text = PrometheusText()
        text.add(call.server.metrics.snapshot())
        text.add(call.site.database.load)
        return .text(text.text, contentType: PrometheusText.contentType)
    }

    static let live = Endpoint<NoteServer>(
        .get, "/health", "live", on: surface,
        description: OperationDescription(
            .tools, "Say that the server is alive",
            success: .ok("It is.", .object("Liveness.", .required("status", .text("How.")))))
    ) { call in
        let database = call.site.database
        guard await call.site.health.isThere({ try await database.check() }) else {
            throw DatabaseIsAway()
        }
        return .object { $0.field("status", "ok") }
    }

    static let table: RouteTable<NoteServer> = RouteTable(
        [list, add, describe, measure, live], at: "notes", elsewhere: surface)

    static let subject = OpenAPIDocument.Subject(
        title: "Notes", version: "1", about: "A notebook.", surfaces: [surface],
        tokens: [("owner", "Whose notebook it is.")],
        schemas: [
            (
                "Note",
                .object(
                    "A note.", .required("id", .identifier("Its number.")),
                    .required("text", .text("What it says.")))
            ),
            ("Error", .object("Why not.", .required("error", .text("What to branch on.")))),
        ])

    /// The server itself.
    func server() -> EndpointServer<NoteServer> {
        var limits = ServerLimits()
        limits.body = 100
        return EndpointServer(
            self, name: ServerName("server", "notes"), table: Self.table, limits: limits,
            machineTime: now, log: Logger(label: "notes"))
    }
}
