import AppStoreSigning
import AppStoreWire
import Crypto
import MerchantRules
import Storage
public import SubscriptionRules
import TimeAndChance

/// A notification that was accepted.
public struct AcceptedNotification: Hashable, Sendable {
    /// What has become of it.
    public enum State: Int64, Hashable, Sendable, CaseIterable {
        case waiting = 0
        case processed = 1
        /// It could not be processed: it is kept, and can be tried again.
        case dead = 2
    }

    /// Its place in the order of arrival.
    public let id: Int64
    public let uuid: String
    /// Apple's word for its type, known or not.
    public let type: String
    public let subtype: String?
    /// When it was signed, which a repetition does not change.
    public let signedAt: Instant
    public let receivedAt: Instant
    public let state: State
    /// Why it could not be processed.
    public let problem: String?
}

extension Merchant {
    /// What came of a notification that was received.
    public enum Reception: Hashable, Sendable {
        /// It is kept, and will be processed.
        case kept
        /// It was kept before.
        case repeated
        /// It is authentic and meant for somebody else: it is kept among the dead letters.
        case setAside
    }

    /// Keeps a notification: verified, once, as it came. It is processed later (ING-1).
    ///
    /// - Parameters:
    ///   - signedPayload: the JWS of the body.
    ///   - body: the whole body as it came, which goes on to the app's other servers; nil where
    ///     there was none, as in the store's history.
    /// - Throws: `MerchantError`, and `StorageError` where it is not kept.
    public func receive(
        _ signedPayload: String, as body: [UInt8]? = nil, for bundleID: String
    ) async throws -> Reception {
        let body = body ?? ResponseBodyV2(signedPayload: signedPayload).jsonBytes()
        let app = try app(bundleID)
        let received = try await now()
        let letter = try await letter(of: signedPayload, for: app, at: received)
        return try await keep(letter, of: app, forwarding: body)
    }

    /// Keeps a letter once, and what goes on to the app's other servers with it. What is meant for
    /// others goes nowhere.
    func keep(
        _ letter: Letter, of app: ServedApp, forwarding body: [UInt8]?
    ) async throws -> Reception {
        let forwarded = body.map { app.forwarding($0, at: SystemTime.now()) } ?? []
        let reception: Reception = try await database.write(.together) { session in
            if try letter.insert(session) {
                guard letter.problem == nil else { return .setAside }
                for one in forwarded { try one.insert(session) }
                return .kept
            }
            try session.execute(
                """
                UPDATE inbox SET repeats = repeats + 1
                WHERE app = \(app.id) AND uuid = \(letter.uuid)
                """)
            return letter.problem == nil ? .repeated : .setAside
        }
        intake.count(letter.type, IntakeCounts.Outcome(reception))
        if reception == .kept { ring() }
        return reception
    }

    /// What is written of a notification, verified here.
    ///
    /// - Throws: `MerchantError.notVerified`.
    func letter(
        of signedPayload: String, for app: ServedApp, at received: Instant
    ) async throws(MerchantError) -> Letter {
        do {
            let (environment, payload) = try await app.setup.verify {
                verifier throws(JWSVerificationError) in
                try await verifier.verifyNotification(signedPayload)
            }
            return Letter(payload, of: app.id, environment, signedPayload, at: received)
        } catch {
            guard [.wrongBundle, .wrongEnvironment, .wrongAppAppleID].contains(error.code) else {
                intake.count("unknown", .refused)
                throw MerchantError.notVerified(error)
            }
            return Letter(setAside: signedPayload, of: app.id, "\(error)", at: received)
        }
    }

    /// Processes all that waits, in the order of arrival, and returns when it is done, by whichever
    /// process. What cannot be processed goes to the dead letters.
    ///
    /// - Throws: `StorageError`; what was not processed waits still.
    public func settle() async throws {
        try await turn.take { try await self.processWaiting() }
    }

    /// Lets a dead letter be processed again. One that was meant for another app or environment is
    /// taken in again under another number, as the configuration is now.
    ///
    /// - Returns: the letter as it is afterwards.
    /// - Throws: `MerchantError.unknownDeadLetter`, `unknownApp` for an app that is not served, and
    ///   `stillSetAside` for one that is still meant for somebody else.
    @discardableResult
    public func replay(_ id: Int64) async throws -> AcceptedNotification {
        let letter = try await database.read { session in
            try session.row(
                """
                SELECT a.bundle_id, i.environment, i.body, i.problem, i.uuid
                FROM inbox i JOIN app a ON a.id = i.app
                WHERE i.id = \(id) AND i.state = 2
                """)
        }
        guard let letter else { throw MerchantError.unknownDeadLetter(id) }
        let app = try app(try letter.text(0))
        var uuid = try letter.text(4)
        if try letter.integer(1) == 0 {
            let again = try await takeInAgain(try letter.text(2), for: app)
            guard let again else {
                throw MerchantError.stillSetAside(id, try letter.textOrNil(3) ?? "")
            }
            uuid = again.uuid
        }
        let known = uuid
        try await database.write { session in
            try session.execute(
                "DELETE FROM inbox WHERE id = \(id) AND state = 2 AND environment = 0")
            // One that was set aside may have come in as well while it was taken, and died then.
            try session.execute(
                """
                UPDATE inbox SET state = 0, problem = NULL
                WHERE app = \(app.id) AND uuid = \(known) AND state = 2
                """)
        }
        try await settle()
        let found = try await database.read { session in
            try AcceptedNotification.all(
                where: "app = \(app.id) AND uuid = \(known)", session)
        }
        guard let replayed = found.first else { throw MerchantError.unknownDeadLetter(id) }
        return replayed
    }

    /// Keeps a letter that was set aside as the configuration is now.
    ///
    /// - Returns: nil where it is still meant for somebody else.
    private func takeInAgain(_ body: String, for app: ServedApp) async throws -> Letter? {
        let isVersionOne = VersionOne.isKept(in: body)
        let received = try await now()
        let letter =
            isVersionOne
            ? VersionOne(kept: body).map { Letter($0, of: app, at: received) }
            : try await self.letter(of: body, for: app, at: received)
        guard let letter, letter.problem == nil else { return nil }
        // Version 1 was kept without its password, and without that no other server would take it.
        let forwarded = ResponseBodyV2(signedPayload: body).jsonBytes()
        _ = try await keep(letter, of: app, forwarding: isVersionOne ? nil : forwarded)
        return letter
    }

    /// The dead letters, the newest first.
    ///
    /// - Parameter before: the number before which they are; nil for the newest.
    public func deadLetters(
        before: Int64? = nil, limit: Int
    ) async throws -> [AcceptedNotification] {
        try await database.read { session in
            try AcceptedNotification.all(
                where: "state = 2 AND id < \(before ?? Int64.max) ORDER BY id DESC LIMIT \(limit)",
                session)
        }
    }
}

extension AcceptedNotification {
    static func all(
        where condition: SQL, _ session: any Session
    ) throws(StorageError) -> [AcceptedNotification] {
        let query: SQL = """
            SELECT id, uuid, type, subtype, signed_at, received_at, state, problem
            FROM inbox WHERE \(condition)
            """
        return try session.rows(query).map { row throws(StorageError) in
            AcceptedNotification(
                id: try row.integer(0), uuid: try row.text(1), type: try row.text(2),
                subtype: try row.textOrNil(3), signedAt: try row.instant(4),
                receivedAt: try row.instant(5),
                state: State(rawValue: try row.integer(6)) ?? .dead, problem: try row.textOrNil(7))
        }
    }
}

extension StorageError {
    /// Whether it is what was to be written that the database does not take.
    var isOfTheLetter: Bool {
        switch code {
        case .invalidStatement, .overflow, .checkViolation, .notNullViolation: true
        default: false
        }
    }
}

/// What is written of a notification that comes in.
struct Letter: Sendable {
    let app: Int64
    /// Nil where it is another app's, or of an environment that there is not.
    let environment: MerchantEnvironment?
    let uuid: String
    let type: String
    let subtype: String?
    let signedAt: Int64
    let received: Instant
    let problem: String?
    let body: String

    init(
        _ payload: ResponseBodyV2DecodedPayload, of app: Int64, _ environment: MerchantEnvironment,
        _ body: String, at received: Instant
    ) {
        self.app = app
        self.environment = environment
        uuid = payload.notificationUUID
        type = payload.notificationType.rawValue
        subtype = payload.subtype?.rawValue
        signedAt = payload.signedDate
        self.received = received
        problem = nil
        self.body = body
    }

    /// One that names neither a subtype nor when it was signed.
    init(
        app: Int64, environment: MerchantEnvironment?, uuid: String, type: String,
        received: Instant, body: String
    ) {
        self.app = app
        self.environment = environment
        self.uuid = uuid
        self.type = type
        subtype = nil
        signedAt = received.milliseconds
        self.received = received
        problem = nil
        self.body = body
    }

    init(setAside body: String, of app: Int64, _ problem: String, at received: Instant) {
        self.app = app
        environment = nil
        // Its own is not looked for in what is meant for somebody else.
        uuid = SHA256.hash(data: Array(body.utf8)).hexadecimal
        type = "unknown"
        subtype = nil
        signedAt = received.milliseconds
        self.received = received
        self.problem = problem
        self.body = body
    }

    /// - Returns: whether it is new.
    func insert(_ session: any Session) throws(StorageError) -> Bool {
        let state = problem == nil ? AcceptedNotification.State.waiting : .dead
        return try session.execute(
            """
            INSERT INTO inbox (app, environment, uuid, type, subtype, signed_at, received_at,
                repeats, state, problem, body)
            VALUES (\(app), \(environment?.rawValue ?? 0), \(uuid), \(type), \(subtype),
                \(signedAt), \(received), 0, \(state.rawValue), \(problem), \(body))
            ON CONFLICT (app, uuid) DO NOTHING
            """) == 1
    }
}

/// A notification that waits to be processed.
struct WaitingLetter: Sendable {
    let id: Int64
    let bundleID: String
    let environment: MerchantEnvironment
    let uuid: String
    let body: String

    init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        bundleID = try row.text(1)
        guard let environment = MerchantEnvironment(rawValue: try row.integer(2)) else {
            throw StorageError(.corrupt, "a notification that waits is of no environment")
        }
        self.environment = environment
        uuid = try row.text(3)
        body = try row.text(4)
    }

    /// - Returns: whether it still waited.
    @discardableResult
    func become(
        _ state: AcceptedNotification.State, problem: String? = nil, evidence: Evidence? = nil,
        _ session: any Session
    ) throws(StorageError) -> Bool {
        try session.execute(
            """
            UPDATE inbox SET state = \(state.rawValue), problem = \(problem),
                original_transaction_id = \(evidence?.originalTransactionID),
                transaction_id = \(evidence?.transaction?.facts.transactionID)
            WHERE id = \(id) AND state = 0
            """) == 1
    }
}
