import SubscriptionRules

/// The reasons that APNs gives, each with what follows from it.
package enum APNsReason: String, Sendable, Hashable, CaseIterable {
    // 400
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    // 403
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyID = "UnrelatedKeyIdInToken"
    // 404, 405, 413
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case payloadTooLarge = "PayloadTooLarge"
    // 410
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    // 429
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    // 500, 503
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"

    /// The shortest wait after a fault of APNs, as Apple asks for.
    static let faultDelay = Duration.seconds(15 * 60)

    func outcome(_ reply: PushReply, since: Instant?) -> PushOutcome {
        switch self {
        case .badCollapseID, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken, .missingTopic,
            .payloadEmpty, .topicDisallowed, .badPath, .methodNotAllowed, .payloadTooLarge:
            .refused(reply)
        case .badDeviceToken, .deviceTokenNotForTopic: .wrongDevice(reply)
        // A token that is new and expired all the same: the machine's clock is wrong.
        case .expiredProviderToken, .badCertificate, .badCertificateEnvironment,
            .badEnvironmentKeyID, .forbidden, .invalidProviderToken, .missingProviderToken,
            .unrelatedKeyID:
            .notConfigured(reply)
        case .expiredToken, .unregistered: .tokenGone(since: since)
        // The device gets too many: how long to wait is not known.
        case .tooManyRequests: .retry(after: .zero, .reply(reply))
        case .tooManyProviderTokenUpdates:
            .retry(after: ProviderTokens.shortestUse, .reply(reply))
        case .internalServerError, .serviceUnavailable, .shutdown:
            .retry(after: Self.faultDelay, .reply(reply))
        }
    }
}
