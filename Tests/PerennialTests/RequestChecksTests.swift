import AppStoreSigning
import AppStoreWire
import Testing
import TimeAndChance

@testable import perennial

@Suite("What is checked of a request of Advanced Commerce")
struct RequestChecksTests {
    private static let right = """
        {"operation":"CREATE_SUBSCRIPTION","version":"1","requestInfo":{"requestReferenceId":\
        "6b5e0f0a-4d0c-4a39-9f6e-000000000001"},"currency":"USD","taxCode":"C003-00-1",\
        "period":"P1M","descriptors":{"displayName":"The paper","description":"News"},\
        "items":[{"SKU":"news","displayName":"News","description":"All of it","price":9990}]}
        """

    private func explanation(
        _ text: String, bundleID: String = "com.example.paper", signedFor: String? = nil
    ) throws -> Explanation {
        var chance = MachineGenerator()
        let key = APIKey.generate(using: &chance)
        let request = RequestText(
            written: Array(text.utf8),
            requestID: nil)
        let jws = try key.sign(
            inAppRequest: request.bytes, bundleID: signedFor ?? bundleID,
            nonce: FreshUUID.text(), now: 1_000_000)
        return Explanation(
            kind: .createSubscription, request: request, key: key, bundleID: bundleID, jws: jws,
            product: "x", storefront: nil, isSandbox: false)
    }

    @Test(
        "Each fault is one check's",
        arguments: [
            (#""version":"1""#, #""version":"2""#, Check.form, 4_000_084),
            (#""currency":"USD","#, "", .form, 4_000_098),
            ("6b5e0f0a-", "", .reference, 4_000_081),
            (#""News""#, #""The news of the whole wide world""#, .names, 4_000_089),
            ("9990", "-1", .numbers, 4_000_086),
            ("P1M", "P1D", .codes, 4_000_130), ("C003-00-1", "C003-00-2", .codes, 4_000_127),
            ("USD", "usd", .codes, 4_000_053), ("[{", "[{},{", .form, 4_000_105),
            (#""All of it""#, "7", .form, 4_000_173),
            (#"[{"SKU""#, #"[],"renewalItems":[{"SKU""#, .numbers, 4_000_160),
        ] as [(String, String, Check, Int64)])
    func faults(_ text: String, _ wrong: String, _ check: Check, _ code: Int64) throws {
        let changed = Self.right.replacing(text, with: wrong)
        #expect(changed != Self.right)
        let fault = try explanation(changed).fault(now: 1_000_000)
        #expect(fault?.check == check)
        #expect(fault?.error.code == code)
    }

    @Test("What is right passes each check, and what is old or another app's does not")
    func claims() throws {
        let good = try explanation(Self.right)
        #expect(good.fault(now: 1_000_000) == nil)
        #expect(
            Set(good.results(refusal: nil, wasSent: true).map(\.outcome)) == [.passed])
        #expect(good.fault(now: 1_000_301)?.check == .claims)
        #expect(good.fault(now: 999_000)?.check == .claims)
        let foreign = try explanation(Self.right, signedFor: "com.example.other")
        #expect(foreign.fault(now: 1_000_000)?.check == .claims)
        let large = try explanation(Self.right + String(repeating: " ", count: 400_000))
        #expect(large.fault(now: 1_000_000)?.check == .text)
        #expect(large.fault(now: 1_000_000)?.error.code == 4_000_173)
    }

    @Test("What comes behind a fault is not said to have been judged")
    func order() throws {
        let results = try explanation(Self.right).results(
            refusal: (.product, "no"), wasSent: true)
        for result in results {
            let outcome: CheckResult.Outcome =
                result.check == .product
                ? .refused : result.check.stage < Check.product.stage ? .passed : .notJudged
            #expect(result.outcome == outcome, "\(result.check)")
        }
        let unsent = try explanation(Self.right).results(refusal: nil, wasSent: false)
        #expect(unsent.first { $0.check == .names }?.outcome == .passed)
        for check in [Check.signature, .once, .place, .payment] {
            #expect(unsent.first { $0.check == check }?.outcome == .notJudged)
        }
    }

    @Test("A request that a file has is filled in and not changed otherwise")
    func filling() throws {
        let filled = RequestText(
            written: Array(#"{"a":1,"version":null}"#.utf8),
            filling: ["version": "1", "operation": "X"], requestID: nil)
        let json = try #require(filled.json)
        #expect(json["version"] == .null)
        #expect(json["operation"]?.string == "X")
        #expect(json["a"] == .integer(1))
        let id = try #require(json["requestInfo"]?["requestReferenceId"]?.string)
        #expect(id.lowercasedUUID == id)
        for text in ["[1]", "no JSON", #"{"requestInfo":{"requestReferenceId":"y"},"x":1.50}"#] {
            let same = RequestText(written: Array(text.utf8), requestID: nil)
            #expect(same.bytes == Array(text.utf8))
        }
        let named = RequestText(
            written: Array(#"{"requestInfo":{"requestReferenceId":"y"}}"#.utf8), requestID: "z")
        #expect(named.json?["requestInfo"]?["requestReferenceId"]?.string == "z")
        let none = RequestText(written: Array(#"{"requestInfo":null}"#.utf8), requestID: nil)
        #expect(none.json?["requestInfo"] == .null)
    }
}
