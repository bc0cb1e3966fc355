import AppStoreSigning
public import AppStoreWire
import SubscriptionRules

/// Posts a body to a developer's server. Tests listen themselves; the command line posts over
/// HTTP.
public protocol NotificationPost: Sendable {
    /// Posts JSON and says what came of it; never throws, since every failure is an outcome.
    func post(_ body: [UInt8], to url: String) async -> SendAttemptResult
}

/// Carries notifications out (SRV-1): signs at the first attempt, keeps the signed text, and
/// repeats it until the server answers 200 to 206 or the attempts are used up.
struct Courier: Sendable {
    let post: any NotificationPost
    let signer: JWSSigner

    /// The pauses between attempts in Production; Sandbox has one attempt (SRV-1).
    private static let pauses: [Span] = [
        .hours(1), .hours(12), .hours(24), .hours(48), .hours(72),
    ]

    /// Makes one attempt at a moment and returns the notification as it stands then.
    func deliver(
        _ notification: NotificationRecord, app: App, at moment: Instant,
        fault: DeliveryFault = .straight
    ) async -> (NotificationRecord, SendAttemptResult) {
        guard let signed = notification.signedPayload else {
            preconditionFailure("notification \(notification.uuid) goes out unsigned")
        }
        var notification = notification
        notification.attempts += 1
        let environment = notification.environment
        let outcome: SendAttemptResult
        if let url = app.settings.notificationURL(in: environment) {
            outcome = await carry(signed, to: url, fault)
        } else {
            // The URL was taken away after the event.
            outcome = .other
        }
        notification.isDelivered = outcome == .success
        notification.nextAttempt = nil
        if outcome != .success, environment == .production,
            notification.attempts <= Courier.pauses.count
        {
            notification.nextAttempt = moment + Courier.pauses[notification.attempts - 1]
        }
        return (notification, outcome)
    }

    /// Posts a signed text as the rules would have it.
    private func carry(
        _ signed: String, to url: String, _ fault: DeliveryFault
    ) async -> SendAttemptResult {
        let body = ResponseBodyV2(signedPayload: signed).jsonBytes()
        switch fault {
        case .straight: return await post.post(body, to: url)
        case .dropped: return .timedOut
        case .lost: return .success
        case .repeated(let times):
            let outcome = await post.post(body, to: url)
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
