import AppStoreSigning
import AppStoreWire
import ServerAPIClient
import Storage

extension Merchant {
    /// How often the store is asked what became of a test notification, and the pause between.
    private static let testPatience = (attempts: 30, pause: Duration.seconds(2))

    /// Asks for a test notification, and then what became of it: here, and in the store's eyes. Its
    /// token is kept first, so that whoever comes after a crash asks what became of this one.
    func askForTest(
        _ row: inout LookRow, in place: LookPlace, _ client: ServerAPIClient,
        under claim: WorkClaim, waiting wait: @Sendable (Duration) async -> Void
    ) async throws {
        if row.place == nil {
            row.place = try await client.requestTestNotification().testNotificationToken
            try await keep(row, under: claim)
        }
        guard let token = row.place else { return }
        let answer: CheckTestNotificationResponse?
        do {
            answer = try await testResult(of: token, client, waiting: wait)
        } catch let error as ServerAPIError where error.errorCode == 4_000_020 {
            // The store was replaced or began anew; the next test gets a token of its own.
            row.place = nil
            throw error
        }
        guard let result = answer else {
            row.report.problem = "the store had no result in time: test again later"
            return
        }
        let attempts = result.sendAttempts.map(\.sendAttemptResult)
        row.report.read = 1
        row.report.sendAttempts = attempts.map(\.rawValue)
        let uuid: String
        do throws(JWSVerificationError) {
            uuid = try await place.app.setup.verifier(in: place.environment)
                .verifyNotification(result.signedPayload).notificationUUID
        } catch {
            row.report.problem = "what the store has sent proves nothing: \(error)"
            return
        }
        let hasArrived = try await database.read { session in
            try session.exists(
                "SELECT 1 FROM inbox WHERE app = \(place.app.id) AND uuid = \(uuid)")
        }
        row.report.arrived = hasArrived
        if !attempts.contains(.success) {
            let words = row.report.sendAttempts.joined(separator: ", ")
            row.report.problem =
                "the store could not deliver it (\(words)): see that the notification URL can be "
                + "reached from outside"
        } else if !hasArrived {
            row.report.problem =
                "somebody took it, and it did not arrive here: correct the notification URL"
        }
    }

    /// - Returns: nil where the store had none in time.
    private func testResult(
        of token: String, _ client: ServerAPIClient,
        waiting wait: @Sendable (Duration) async -> Void
    ) async throws -> CheckTestNotificationResponse? {
        for attempt in 1...Self.testPatience.attempts {
            do throws(ServerAPIError) {
                let result = try await client.testNotificationStatus(token)
                if !result.sendAttempts.isEmpty { return result }
            } catch {
                // It was not tried yet.
                guard error.errorCode == 4_040_008 else { throw error }
            }
            if attempt < Self.testPatience.attempts { await wait(Self.testPatience.pause) }
            try Task.checkCancellation()
        }
        return nil
    }
}
