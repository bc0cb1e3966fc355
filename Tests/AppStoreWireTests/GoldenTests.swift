import AppStoreWire
import Foundation
import Testing

@Suite("Payloads and replies on the wire")
struct GoldenTests {
    static let samples =
        Sample.signedData + Sample.notifications + Sample.customerReplies + Sample.operatorReplies
        + Sample.receipts + Sample.requests

    @Test("A value is written as its golden file and read from it", arguments: samples)
    func golden(sample: Sample) throws {
        let golden = try Sample.golden(sample.name)
        #expect(
            String(decoding: sample.encoded, as: UTF8.self)
                == String(decoding: golden, as: UTF8.self))
        #expect(try sample.isDecoded(golden))
    }

    @Test("Every golden file belongs to a sample")
    func noStrayGolden() throws {
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Golden")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let names = Set(Self.samples.map { "\($0.name).json" } + ["error.json"])
        #expect(Set(files) == names)
    }

    @Test("Integers stay integers and absent stays absent", arguments: samples)
    func wholeAndAbsent(sample: Sample) throws {
        func check(_ value: JSONValue) {
            switch value {
            case .null: Issue.record("null in \(sample.name)")
            case .number(let number): Issue.record("fraction \(number) in \(sample.name)")
            case .array(let elements): elements.forEach(check)
            case .object(let members): members.values.forEach(check)
            case .bool, .integer, .string: break
            }
        }
        check(try JSONValue(parsing: sample.encoded))
    }

    @Test("An error has exactly its code and its message")
    func error() throws {
        let golden = try Sample.golden("error")
        #expect(APIError.transactionIdNotFound.jsonBytes() == golden)
    }

    @Test("A wrong JSON type is refused")
    func wrongType() throws {
        let text = try text("transaction-minimal")
            .replacing("\"quantity\":3", with: "\"quantity\":\"3\"")
        #expect(throws: DecodingError.self) {
            try decode(JWSTransactionDecodedPayload.self, text)
        }
    }

    @Test("A missing member that is always signed is refused")
    func missing() throws {
        let text = try text("transaction-minimal")
            .replacing("\"productId\":\"seeds\",", with: "")
        #expect(throws: DecodingError.self) {
            try decode(JWSTransactionDecodedPayload.self, text)
        }
    }

    @Test("Unknown members are ignored")
    func unknownMember() throws {
        let text = try text("transaction-minimal")
            .replacing("\"quantity\":3", with: "\"quantity\":3,\"bundleGroup\":{\"a\":[1]}")
        #expect(
            try decode(JWSTransactionDecodedPayload.self, text) == Sample.transactionMinimal)
    }

    @Test(
        "Unknown values survive a round trip",
        arguments: [
            ("\"type\":\"Consumable\"", "\"type\":\"Bundle\""),
            ("\"inAppOwnershipType\":\"PURCHASED\"", "\"inAppOwnershipType\":\"RENTED\""),
            ("\"environment\":\"Sandbox\"", "\"environment\":\"Moon\""),
        ])
    func unknownValue(known: String, unknown: String) throws {
        let text = try text("transaction-minimal").replacing(known, with: unknown)
        #expect(try decode(JWSTransactionDecodedPayload.self, text).jsonText() == text)
    }

    @Test("An unknown number survives a round trip")
    func unknownNumber() throws {
        let text = try text("renewal-minimal")
            .replacing("\"autoRenewStatus\":1", with: "\"autoRenewStatus\":7")
        let payload = try decode(JWSRenewalInfoDecodedPayload.self, text)
        #expect(!payload.autoRenewStatus.isKnown)
        #expect(payload.jsonText() == text)
    }

    @Test(
        "Fractional times of Xcode are rounded down",
        arguments: [
            ("1697679936049.7297", 1_697_679_936_049), ("-62135769600000.5", -62_135_769_600_001),
            ("1.735689601e12", 1_735_689_601_000), ("1735689601000.0", 1_735_689_601_000),
        ] as [(String, Int64)])
    func fractionalTime(written: String, read: Int64) throws {
        let text = try text("transaction-minimal")
            .replacing("\"signedDate\":1735689601000", with: "\"signedDate\":\(written)")
            .replacing("\"quantity\"", with: "\"expiresDate\":\(written),\"quantity\"")
        let payload = try decode(JWSTransactionDecodedPayload.self, text)
        #expect(payload.signedDate == read)
        #expect(payload.expiresDate == read)
    }

    @Test("A time beyond 64 bits is refused")
    func hugeTime() throws {
        let text = try text("transaction-minimal")
            .replacing("\"signedDate\":1735689601000", with: "\"signedDate\":1e30")
        #expect(throws: DecodingError.self) {
            try decode(JWSTransactionDecodedPayload.self, text)
        }
    }

    private func text(_ golden: String) throws -> String {
        String(decoding: try Sample.golden(golden), as: UTF8.self)
    }

    private func decode<Value: Decodable & Equatable>(
        _ type: Value.Type, _ text: String
    ) throws -> Value {
        try Sample.decode(type, Array(text.utf8))
    }
}
