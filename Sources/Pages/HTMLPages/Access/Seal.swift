import Crypto
import FoundationEssentials
import HTTPSurface
package import SubscriptionRules
import Synchronization
import TimeAndChance

/// Texts that only this program can have made, and that end by themselves: a session in a cookie,
/// or a code that opens one. Nothing is stored, so every process that has the secret takes them.
package struct Seal: Sendable {
    private let key: SymmetricKey

    /// - Parameters:
    ///   - secret: what the key is made of, such as the operator's token: whoever has another has
    ///     other sealed texts.
    ///   - purpose: keeps texts of one kind from being taken for another.
    package init(secret: String, purpose: String) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.utf8)),
            info: Data("perennial \(purpose)".utf8), outputByteCount: 32)
    }

    /// A new text that no other is like.
    ///
    /// - Parameters:
    ///   - end: from when on it is worth nothing, by the machine's clock.
    ///   - identifier: makes it unlike others; random unless given.
    package func make(until end: Instant, identifier: [UInt8] = Randomness.bytes(16)) -> String {
        let body = "\(identifier.hexadecimal).\(end.milliseconds)"
        return "\(body).\(code(of: body))"
    }

    /// What a text says that was made here and has not ended; nil for any other.
    ///
    /// - Parameter now: the machine's clock.
    package func open(_ text: String, now: Instant) -> Sealed? {
        guard text.utf8.count <= 200 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let end = Int64(parts[1]),
            SharedSecret(code(of: "\(parts[0]).\(parts[1])")).matches(String(parts[2]))
        else { return nil }
        let sealed = Sealed(identifier: String(parts[0]), end: Instant(milliseconds: end))
        return now < sealed.end ? sealed : nil
    }

    private func code(of body: String) -> String {
        Array(HMAC<SHA256>.authenticationCode(for: Data(body.utf8), using: key)).hexadecimal
    }
}

/// What a sealed text says.
package struct Sealed: Sendable, Hashable {
    /// What it is told from others by.
    package let identifier: String
    /// When it ends, by the machine's clock.
    package let end: Instant
}

/// Identifiers that are not taken any more, until they would have ended by themselves.
package final class SpentIdentifiers: Sendable {
    private let ends = Mutex<[String: Instant]>([:])

    package init() {}

    /// Spends an identifier; false where it was spent before.
    package func spend(_ sealed: Sealed, now: Instant) -> Bool {
        ends.withLock { ends in
            ends = ends.filter { now < $0.value }
            return ends.updateValue(sealed.end, forKey: sealed.identifier) == nil
        }
    }

    /// Whether it was spent.
    package func contains(_ sealed: Sealed) -> Bool {
        ends.withLock { $0[sealed.identifier] != nil }
    }
}
