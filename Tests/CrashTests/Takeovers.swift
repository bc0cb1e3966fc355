import Storage

/// Notes, in the transaction in which a process takes the lane of another one, what that one may
/// have had under way: these notifications alone may arrive again.
struct Takeovers: Sendable {
    /// How often each notification may have been under way when its lane was taken over.
    let interrupted: [Int64: Int]
    /// The numbers of the processes whose lanes were taken over, one for each time.
    let losers: [Int32]
    /// How many of them had not lost their claim by then.
    let robberies: Int

    /// Makes the database take notes.
    static func watch(_ database: any Database) async throws {
        try await database.write { session in
            for statement in [
                "CREATE TABLE takeover (number BIGSERIAL, loser TEXT, left_to_it BIGINT)",
                "CREATE TABLE interrupted (takeover BIGINT, notification BIGINT)",
                """
                CREATE FUNCTION note_takeover() RETURNS trigger LANGUAGE plpgsql AS $body$
                DECLARE takeover_number BIGINT;
                BEGIN
                    INSERT INTO takeover (loser, left_to_it)
                        SELECT name, OLD.held_until - \(Dialect.postgres.now)
                        FROM process WHERE id = OLD.process
                        RETURNING number INTO takeover_number;
                    INSERT INTO interrupted SELECT takeover_number, id FROM notification
                        WHERE next_attempt IS NOT NULL AND signed_payload IS NOT NULL
                            AND NEW.name = 'notification ' || app || '/' || environment;
                    RETURN NULL;
                END $body$
                """,
                """
                CREATE TRIGGER takeover AFTER UPDATE ON claim FOR EACH ROW
                WHEN (OLD.process <> NEW.process) EXECUTE FUNCTION note_takeover()
                """,
            ] { try session.execute(SQL(text: statement)) }
        }
    }

    /// Reads the notes and takes them away.
    init(endingIn database: any Database) async throws {
        (interrupted, losers, robberies) = try await database.write { session in
            let losers = try session.rows("SELECT loser FROM takeover ORDER BY number").map {
                try $0.text(0).split(separator: ":").last.flatMap { Int32($0) } ?? 0
            }
            let robberies = try session.row("SELECT COUNT(*) FROM takeover WHERE left_to_it > 0")
            var interrupted: [Int64: Int] = [:]
            for row in try session.rows("SELECT notification FROM interrupted") {
                interrupted[try row.integer(0), default: 0] += 1
            }
            for statement in [
                "DROP TRIGGER takeover ON claim", "DROP FUNCTION note_takeover()",
                "DROP TABLE takeover", "DROP TABLE interrupted",
            ] { try session.execute(SQL(text: statement)) }
            return (interrupted, losers, try robberies?.int(0) ?? 0)
        }
    }
}
