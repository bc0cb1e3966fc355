import AppStoreSigning
import AppStoreWire
import Outbox
import SubscriptionRules

/// Carries notifications out: signs at the first attempt, keeps the signed text, and
/// repeats it until the server answers 200 to 206 or the attempts are used up.
struct Courier: Sendable {
    let post: any Post
    let signer: JWSSigner

    /// Makes an attempt.
    func carry(_ attempt: DeliveryAttempt) async -> DeliveryAttempt {
        guard let signed = attempt.notification.signedPayload else {
            preconditionFailure("notification \(attempt.notification.uuid) goes out unsigned")
        }
        let environment = attempt.notification.environment
        let outcome: SendAttemptResult
        if let url = attempt.app.settings.notificationURL(in: environment) {
            outcome = await carry(signed, to: url, attempt.fault)
        } else {
            // The URL was taken away after the event.
            outcome = .other
        }
        var attempt = attempt
        attempt.outcome = outcome
        attempt.notification.attempts += 1
        // One that was delivered before, and is sent again, stays so.
        attempt.notification.isDelivered = attempt.notification.isDelivered || outcome == .success
        attempt.notification.nextAttempt =
            attempt.notification.isDelivered
            ? nil
            : RetrySchedule.ofNotifications(in: environment).next(
                after: attempt.notification.attempts, at: attempt.moment)
        return attempt
    }

    /// Posts a signed text as the rules would have it.
    private func carry(
        _ signed: String, to url: String, _ fault: DeliveryFault
    ) async -> SendAttemptResult {
        let body = ResponseBodyV2(signedPayload: signed).jsonBytes()
        switch fault {
        case .straight: return .init(await post.post(body, to: url))
        case .dropped: return .timedOut
        case .lost: return .success
        case .repeated(let times):
            let outcome = SendAttemptResult(await post.post(body, to: url))
            // What is answered to a copy means nothing; what failed is tried again anyway.
            guard outcome == .success else { return outcome }
            for _ in 0..<times { _ = await post.post(body, to: url) }
            return outcome
        }
    }

    /// The signed text that every attempt repeats.
    func sign(_ notification: NotificationRecord, app: App) throws -> String {
        func sign(_ draft: String?) throws -> String? {
            try draft.map { try signer.sign(payloadBytes: Array($0.utf8)) }
        }
        let appleID = notification.environment == .production ? app.appleID : nil
        let extras = notification.extras
        var payload = ResponseBodyV2DecodedPayload(
            notificationType: notification.type, subtype: notification.subtype,
            notificationUUID: notification.uuid, version: "2.0",
            signedDate: notification.created.milliseconds)
        // Exactly one of the four.
        if notification.subtype == .summary, let detail = notification.detail {
            payload.summary = try MassExtension.summary(detail)
        } else if let token = extras?.externalPurchaseToken {
            payload.externalPurchaseToken = token
        } else if let signed = try sign(extras?.appTransaction?.jsonText()) {
            payload.appData = AppData(
                appAppleId: appleID, bundleId: app.bundleID,
                environment: notification.environment.wire, signedAppTransactionInfo: signed)
        } else {
            payload.data = NotificationData(
                appAppleId: appleID, bundleId: app.bundleID,
                environment: notification.environment.wire,
                signedTransactionInfo: try sign(notification.transactionDraft),
                signedRenewalInfo: try sign(notification.renewalDraft),
                status: notification.status,
                consumptionRequestReason: notification.detail.map(ConsumptionRequestReason.init))
        }
        return try signer.sign(payload)
    }
}
