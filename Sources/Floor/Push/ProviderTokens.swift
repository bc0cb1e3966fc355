import AppStoreSigning
import AppStoreWire
import Crypto
import FoundationEssentials
package import SubscriptionRules
import Synchronization
import TimeAndChance

/// The provider tokens of a team: one at a time, for all its clients.
///
/// APNs refuses a token of more than an hour, and a team that has a new one more often than every
/// twenty minutes, whichever process made it. So tokens are issued at fixed moments of the clock:
/// all processes sign the same `iat` without asking each other, also after a restart.
package final class ProviderTokens: Sendable {
    private struct Token {
        let text: String
        let issued: Instant
        /// Until when it is used though a fixed moment has passed.
        let held: Instant
    }

    /// How long a token is used as a rule. What is left of the hour is for clocks that differ.
    static let use = Span.minutes(40)
    /// How long a token is used at least.
    static let shortestUse = Duration.seconds(20 * 60)

    private let key: APNsKey
    private let machineTime: @Sendable () -> Instant
    private let current = Mutex<Token?>(nil)

    /// - Parameter machineTime: the machine's clock, by which APNs judges tokens; replaced in
    ///   tests.
    package init(
        _ key: APNsKey, machineTime: @escaping @Sendable () -> Instant = SystemTime.now
    ) {
        self.key = key
        self.machineTime = machineTime
    }

    /// The token for a request.
    package func token() -> String {
        let now = machineTime()
        let due = Instant(
            milliseconds: now.milliseconds - now.milliseconds % Self.use.milliseconds)
        return current.withLock { current in
            // One from the future was issued before the clock was put right.
            if let token = current, token.issued <= now, token.issued >= due || now < token.held {
                return token.text
            }
            let token = Token(text: sign(issued: due), issued: due, held: due)
            current = token
            return token.text
        }
    }

    /// Another token, after APNs called one expired.
    ///
    /// - Returns: nil where the last one of these is too young to be replaced.
    package func token(insteadOf expired: String) -> String? {
        let now = machineTime()
        return current.withLock { current in
            if let token = current, token.text != expired { return token.text }
            if let token = current, now < token.held { return nil }
            let shortest = Span(milliseconds: Self.shortestUse.components.seconds * 1000)
            let token = Token(text: sign(issued: now), issued: now, held: now + shortest)
            current = token
            return token.text
        }
    }

    private func sign(issued: Instant) -> String {
        var header = JSONWriter(capacity: 64)
        header.object { json in
            json.field("alg", "ES256")
            json.field("kid", key.keyID)
        }
        var claims = JSONWriter(capacity: 64)
        claims.object { json in
            json.field("iss", key.teamID)
            json.field("iat", issued.milliseconds / 1000)
        }
        var text: [UInt8] = []
        Base64URL.append(header.bytes, to: &text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(claims.bytes, to: &text)
        guard let signature = try? key.privateKey.signature(for: SHA256.hash(data: text)) else {
            preconditionFailure("a key that was read signs nothing")
        }
        text.append(UInt8(ascii: "."))
        Base64URL.append(Array(signature.rawRepresentation), to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
