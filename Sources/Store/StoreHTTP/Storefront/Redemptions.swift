import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// Offer codes, as a customer redeems them (COD-1 to COD-6).
extension StorefrontSurface {
    /// How many wrong codes an account can send in an hour of the machine's clock.
    static let mostWrongCodes = 20

    /// Redeems a code.
    static let redeem = Endpoint.device(
        .post, "/storefront/v1/redemptions", "redeem", canRehearse: true,
        OperationDescription(
            .device, "Redeem an offer code",
            detail: "Buys the product with the code's offer; for whoever subscribes to it the "
                + "offer begins with the next renewal. A non-consumable that the customer owns "
                + "is delivered again, and the code stays good. Capital and small letters are the "
                + "same. After \(mostWrongCodes) codes in an hour that there are not, an account "
                + "waits for the next hour.",
            parameters: [idempotencyParameter],
            body: .members(
                .object(
                    "The code.", .required("code", .text("As it was typed.", 1...64)),
                    .optional(
                        "via",
                        .choice(
                            "Where it was typed or followed; app unless given.",
                            RedemptionPlace.allCases.map(\.rawValue))),
                    .optional(
                        "appAccountToken", .uuid("The developer's own name for the customer.")))),
            success: purchaseSuccess,
            failures: [
                .init(.notFound, "unknownCode"), .init(.conflict, "codeExpired"),
                .init(.conflict, "codeRedeemed"), .init(.conflict, "offerRedeemedBefore"),
                .init(.conflict, "customCodeTyped"), .init(.conflict, "ineligibleForOffer"),
                .init(.notFound, "invalidOfferIdentifier"),
                .init(.tooManyRequests, "tooManyRequests"),
                .init(.paymentRequired, "paymentDeclined"), .init(.notFound, "unknownProduct"),
                .init(.conflict, "notForSale"), .init(.conflict, "alreadySubscribed"),
                .init(.conflict, "notBilledMonthly"),
                .init(.conflict, "paymentPending"), .init(.conflict, "idempotencyKeyReused"),
            ])
    ) { call, device, input in
        let guesses = Guesses(call: call, device: device, most: mostWrongCodes)
        try guesses.check()
        do {
            let bought = try await call.explainingGrace(device, nil) {
                try await call.store.redeem(
                    code: input.requiredText("code"),
                    isTyped: input.text("via") == RedemptionPlace.settings.rawValue,
                    appAccountToken: input.text("appAccountToken")?.lowercasedUUID,
                    idempotencyKey: input.parameter("Idempotency-Key")?.string, by: device)
            }
            return .object { bought.write(to: &$0) }
        } catch StoreError.offerCode(.unknown) {
            guesses.count()
            throw StoreError.offerCode(.unknown)
        }
    }
}

/// Where a code comes from.
enum RedemptionPlace: String, CaseIterable {
    case app, url, settings
}

/// The wrong codes of an account: whoever guesses is made to wait.
struct Guesses {
    let call: Call
    let device: DeviceSession
    let most: Int

    private var key: RateLimiter.Key {
        RateLimiter.Key(
            caller: "customer \(device.customer)", endpoint: "wrong codes",
            server: call.environment.wire.rawValue)
    }

    /// - Throws: `RateLimitExceeded` once there were too many.
    func check() throws {
        let now = call.site.server.machineTime()
        guard let next = call.site.server.traffic.next(key, limit: most, at: now) else { return }
        throw RateLimitExceeded(nextAllowed: next, now: now)
    }

    func count() {
        _ = call.site.server.traffic.take(
            key, limit: most, at: call.site.server.machineTime())
    }
}
