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
    ///   - said: what it says besides: whoever has it can read that, and nobody can change it.
    ///   - identifier: makes it unlike others; random unless given.
    package func make(
        until end: Instant, saying said: [String] = [],
        identifier: [UInt8] = Randomness.bytes(16)
    ) -> String {
        var body = "\(identifier.hexadecimal).\(end.milliseconds)"
        if !said.isEmpty {
            body += "." + said.map { $0.utf8.hexadecimal }.joined(separator: "-")
        }
        return "\(body).\(code(of: body))"
    }

    /// What a text says that was made here and has not ended; nil for any other.
    ///
    /// - Parameter now: the machine's clock.
    package func open(_ text: String, now: Instant) -> Sealed? {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 4, let end = Int64(parts[1]) else { return nil }
        let body = parts.dropLast().joined(separator: ".")
        guard SharedSecret(code(of: body)).matches(String(parts[parts.count - 1])) else {
            return nil
        }
        var said: [String] = []
        if parts.count == 4 {
            for piece in parts[2].split(separator: "-", omittingEmptySubsequences: false) {
                guard let text = Self.text(piece) else { return nil }
                said.append(text)
            }
        }
        let sealed = Sealed(
            identifier: String(parts[0]), end: Instant(milliseconds: end), said: said)
        return now < sealed.end ? sealed : nil
    }

    /// The longest text, in bytes: what a browser keeps in a cookie.
    private static let longest = 4000

    private static func text(_ hexadecimal: Substring) -> String? {
        let digits = hexadecimal.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        return String(validating: bytes, as: UTF8.self)
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
    /// What it says besides.
    package var said: [String] = []
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
