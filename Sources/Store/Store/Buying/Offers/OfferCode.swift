import Crypto

/// The text of a one-time offer code: eighteen letters and digits (COD-1).
///
/// Codes follow from the world's secret seed and are not stored, so that a million of them cost
/// nothing until they are redeemed, and no table of them can be read. The last eight
/// characters are the batch and the place in it, 40 bits, covered by a mask; the first ten, 50
/// bits, are what only the seed gives for them, so one guess in 10¹⁵ hits.
struct OfferCode: Hashable {
    /// The place of the batch among those of the app and environment, from 1.
    let ordinal: Int64
    /// The place in the batch, from 0.
    let place: Int64

    /// How many batches an app can have, and how many codes a batch, at most.
    static let most: Int64 = 1 << 20
    private static let bits = 20
    /// Letters and digits that are not taken for each other.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    private static let (tagLength, payloadLength) = (10, 8)

    init(ordinal: Int64, place: Int64) {
        precondition(
            (1..<OfferCode.most).contains(ordinal) && (0..<OfferCode.most).contains(place))
        (self.ordinal, self.place) = (ordinal, place)
    }

    /// Reads a text; nil where it is none of this app's and environment's.
    ///
    /// - Parameters:
    ///   - text: in capital letters.
    ///   - scope: what the codes are for, the app and the environment.
    init?(_ text: String, seed: String, scope: String) {
        let digits = text.utf8.compactMap { OfferCode.alphabet.firstIndex(of: $0) }
        guard digits.count == OfferCode.tagLength + OfferCode.payloadLength,
            digits.count == text.utf8.count
        else { return nil }
        let tag = OfferCode.number(digits.prefix(OfferCode.tagLength))
        let payload =
            OfferCode.number(digits.dropFirst(OfferCode.tagLength))
            ^ OfferCode.mask(of: tag, seed, scope)
        guard OfferCode.tag(of: payload, seed, scope) == tag else { return nil }
        ordinal = Int64(payload >> UInt64(OfferCode.bits))
        place = Int64(payload & UInt64(OfferCode.most - 1))
    }

    func text(seed: String, scope: String) -> String {
        let payload = UInt64(ordinal) << UInt64(OfferCode.bits) | UInt64(place)
        let tag = OfferCode.tag(of: payload, seed, scope)
        let masked = payload ^ OfferCode.mask(of: tag, seed, scope)
        let digits =
            OfferCode.digits(tag, OfferCode.tagLength)
            + OfferCode.digits(masked, OfferCode.payloadLength)
        return String(decoding: digits.map { OfferCode.alphabet[$0] }, as: UTF8.self)
    }

    private static func tag(of payload: UInt64, _ seed: String, _ scope: String) -> UInt64 {
        bits(50, "\(seed)/offer code/\(scope)/\(payload)")
    }

    private static func mask(of tag: UInt64, _ seed: String, _ scope: String) -> UInt64 {
        bits(40, "\(seed)/offer code mask/\(scope)/\(tag)")
    }

    private static func bits(_ count: UInt64, _ text: String) -> UInt64 {
        let digest = SHA256.hash(data: Array(text.utf8))
        return digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> (64 - count)
    }

    private static func number(_ digits: some Sequence<Int>) -> UInt64 {
        digits.reduce(0) { $0 << 5 | UInt64($1) }
    }

    private static func digits(_ number: UInt64, _ count: Int) -> [Int] {
        (0..<count).reversed().map { Int(number >> UInt64(5 * $0) & 31) }
    }
}
