import AppStoreSigning
import AppStoreWire
import Crypto
import Foundation
import Push
import SubscriptionRules
import TestFloor
import Testing

/// What the tests of pushes share.
enum Sample {
    /// A moment at which a token is issued.
    static let moment = Instant(milliseconds: 1_800_000_000_000)
    static let id = "123e4567-e89b-42d3-a456-4266554400a0"
    static let otherID = "123e4567-e89b-42d3-a456-4266554400a1"
    static let device = "0123456789abcdef"
    static let topic = "com.example.garden"
    static let privateKey = P256.Signing.PrivateKey()

    static let alert = PushAlert(
        title: "Garden", body: "10.99 from May", sound: "default", category: "price",
        threadID: "garden")

    static func key() throws -> APNsKey {
        try APNsKey(
            keyID: "ABC123DEFG", teamID: "TEAM123456",
            privateKeyPEM: privateKey.pemRepresentation)
    }

    static func push(
        id: String = Sample.id, topic: String = Sample.topic,
        _ content: Push.Content = .alert(Sample.alert),
        members: [String: JSONValue] = [:], collapseID: String? = nil, expires: Instant? = nil,
        priority: Push.Priority? = nil
    ) throws -> Push {
        try Push(
            id: id, to: #require(DeviceToken(device)), topic: topic, content, members: members,
            collapseID: collapseID, expires: expires, priority: priority)
    }

    /// A client of a test's server, at a moment that stands still unless a clock is given.
    ///
    /// - Parameter timeout: long, since other tests run beside; short where nothing is to come.
    static func client(
        of url: String, clock: ManualClock = ManualClock(Sample.moment), isTrusted: Bool = true,
        timeout: Duration = .seconds(60)
    ) throws -> APNsClient {
        let settings = try APNsSettings(
            server: #require(APNsServer(url)),
            authorityFile: isTrusted ? APNsTestServer.certificateFile() : nil, timeout: timeout)
        return APNsClient(settings, ProviderTokens(try key(), machineTime: { clock.now }))
    }
}

/// A provider token that was read, and whose signature is good.
struct ReadToken {
    let header: JSONValue
    let claims: JSONValue

    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: #require(Base64URL.decode(parts[2].utf8)))
        let digest = SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8))
        #expect(Sample.privateKey.publicKey.isValidSignature(signature, for: digest))
        header = try JSONValue(parsing: #require(Base64URL.decode(parts[0].utf8)))
        claims = try JSONValue(parsing: #require(Base64URL.decode(parts[1].utf8)))
    }

    /// When it was issued, in seconds; nil where that is no whole number.
    var issued: Int64? { claims["iat"]?.integer }
}
