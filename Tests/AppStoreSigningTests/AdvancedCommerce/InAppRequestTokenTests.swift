import AppStoreWire
import Crypto
import Foundation
import Testing

@testable import AppStoreSigning

@Suite("Signed in-app requests of Advanced Commerce")
struct InAppRequestTokenTests {
    static let now = RequestTokenTests.now
    static let bundleID = "com.example.garden"
    static let nonce = "C3CF0E0E-03BB-4F07-B583-5C143C5CC298"
    static let reactivate = AdvancedCommerceInAppRequest.reactivateSubscription(
        AdvancedCommerceSubscriptionReactivateInAppRequest(
            transactionId: "12345",
            requestInfo: AdvancedCommerceRequestInfo(
                requestReferenceId: "7c80bb86-f892-4b21-a919-1357811d6c4f")))

    static func verify(
        _ token: String, lifetime: Double = InAppRequestToken.lifetime, now: Double = Self.now
    ) throws -> InAppRequestToken {
        try RequestTokenTests.verifier.verify(
            inAppRequest: token, bundleID: bundleID, lifetime: lifetime, now: now)
    }

    static func sign(
        _ request: [UInt8] = reactivate.jsonBytes(), bundleID: String = Self.bundleID,
        nonce: String = Self.nonce, now: Double = Self.now
    ) throws -> String {
        try RequestTokenTests.key.sign(
            inAppRequest: request, bundleID: bundleID, nonce: nonce, now: now)
    }

    /// A good token's claims with one of them another, or gone.
    static func claims(_ name: String? = nil, _ value: String? = nil) -> String {
        var members = [
            "iss": #""ISS""#, "iat": "NOW+0", "aud": #""advanced-commerce-api""#,
            "bid": #""com.example.garden""#, "nonce": "\"\(nonce)\"", "request": #""e30=""#,
        ]
        if let name { members[name] = value }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    @Test("What our own key signs is verified, and says what was asked")
    func ownToken() throws {
        let token = try Self.verify(Self.sign())
        #expect(token.nonce == Self.nonce.lowercased())
        #expect(token.keyID == RequestTokenTests.key.keyID)
        #expect(token.issued == 1_735_689_600)
        #expect(token.request == Self.reactivate.jsonBytes())
        #expect(try AdvancedCommerceInAppRequest(token.json) == Self.reactivate)
        #expect(
            RequestTokenVerifier.keyID(ofInAppRequest: try Self.sign())
                == RequestTokenTests.key.keyID)
    }

    @Test("What Apple's Python library signs is verified")
    func python() throws {
        let verifier = try RequestTokenVerifier(
            publicKeyPEMs: ["ABCDE12345": Self.pythonKey],
            issuerID: "57246542-96fe-1a63-e053-0824d011072a")
        let token = try verifier.verify(
            inAppRequest: Self.pythonToken, bundleID: Self.bundleID, now: 1_795_473_720)
        #expect(token.nonce == "eb92036c-cd16-412a-bd53-c4dd572d350d")
        #expect(token.issued == 1_795_473_715)
        #expect(
            try AdvancedCommerceInAppRequest(token.json)
                == .createOneTimeCharge(
                    AdvancedCommerceOneTimeChargeCreateRequest(
                        requestInfo: AdvancedCommerceRequestInfo(
                            requestReferenceId: "7c80bb86-f892-4b21-a919-1357811d6c4f"),
                        currency: "EUR", taxCode: "C003-00-2",
                        item: AdvancedCommerceOneTimeChargeItem(
                            sku: "trees.oak", displayName: "Bäume", description: "Eine Eiche",
                            price: 4990))))
    }

    @Test("A token is good for its lifetime, counted from `iat`")
    func lifetime() throws {
        let token = try Self.sign()
        _ = try Self.verify(token, now: 1_735_689_899.9)
        #expect(throws: InAppRequestTokenError.expired) {
            try Self.verify(token, now: 1_735_689_900)
        }
        _ = try Self.verify(token, lifetime: 3600, now: 1_735_693_199)
        _ = try Self.verify(token, now: 1_735_689_540)
        #expect(throws: InAppRequestTokenError.issuedInFuture) {
            try Self.verify(token, now: 1_735_689_539)
        }
    }

    @Test(
        "Wrong claims are refused, each for its reason",
        arguments: [
            (claims("iss", nil), .otherApp), (claims("iss", #""other""#), .otherApp),
            (claims("aud", #""promotional-offer""#), .otherApp), (claims("aud", nil), .otherApp),
            (claims("aud", #"["advanced-commerce-api"]"#), .otherApp),
            (claims("bid", #""com.example.other""#), .otherApp),
            (claims("bid", nil), .otherApp), (claims("nonce", nil), .malformed),
            (claims("nonce", #""once""#), .malformed), (claims("nonce", "7"), .malformed),
            (claims("iat", nil), .malformed), (claims("iat", #""NOW+0""#), .malformed),
            (claims("exp", "NOW+300"), .namesItsEnd), (claims("iat", "NOW+61"), .issuedInFuture),
            (claims("iat", "NOW-300"), .expired), (claims("iat", "-1e308"), .expired),
            (claims("request", nil), .malformed), (claims("request", "{}"), .malformed),
            (claims("request", #""e30""#), .malformedRequest),
            (claims("request", #""e30=\n""#), .malformedRequest),
            (claims("request", #""""#), .malformedRequest),
            (claims("request", #""_-A=""#), .malformedRequest),
            (claims("request", #""/w==""#), .malformedRequest),
            (claims("request", #""eyJhIjoxLCJhIjoyfQ==""#), .malformedRequest),
            ("[]", .malformed), ("nonsense", .malformed),
        ] as [(String, InAppRequestTokenError)])
    func refused(claims: String, error: InAppRequestTokenError) throws {
        let token = try RequestTokenTests.token(claims: claims)
        #expect(throws: error) { try Self.verify(token) }
    }

    @Test("Good claims are accepted, also with a fraction in `iat` as Swift's library has it")
    func accepted() throws {
        _ = try Self.verify(RequestTokenTests.token(claims: Self.claims()))
        _ = try Self.verify(RequestTokenTests.token(claims: Self.claims("iat", "NOW+0.75")))
    }

    @Test("A forged, changed or foreign signature is refused before its claims are read")
    func forged() throws {
        let stranger = P256.Signing.PrivateKey()
        let forged = try RequestTokenTests.token(claims: "[]", signedBy: stranger)
        #expect(throws: InAppRequestTokenError.wrongSignature) { try Self.verify(forged) }
        let unknown = try RequestTokenTests.token(
            header: #"{"alg":"ES256","kid":"OTHER"}"#, claims: "[]")
        #expect(throws: InAppRequestTokenError.unknownKey) { try Self.verify(unknown) }
        let unsigned = try RequestTokenTests.token(
            header: #"{"alg":"none","kid":"KID"}"#, claims: Self.claims())
        #expect(throws: InAppRequestTokenError.wrongSignature) { try Self.verify(unsigned) }
        let good = try Self.sign().split(separator: ".")
        let other = try Self.sign([0x7B, 0x7D]).split(separator: ".")
        #expect(throws: InAppRequestTokenError.wrongSignature) {
            try Self.verify("\(good[0]).\(other[1]).\(good[2])")
        }
    }

    @Test("What is no token is refused")
    func noToken() {
        #expect(throws: InAppRequestTokenError.missing) { try Self.verify("") }
        #expect(throws: InAppRequestTokenError.malformed) { try Self.verify("a.b") }
        let long = String(repeating: "a", count: InAppRequestToken.sizeLimit + 1)
        #expect(throws: InAppRequestTokenError.tooLarge) { try Self.verify(long) }
        #expect(RequestTokenVerifier.keyID(ofInAppRequest: long) == nil)
    }

    @Test("A hundred items with the longest texts fit")
    func longest() throws {
        // As Python writes it: every character beyond ASCII as an escape.
        func text(_ count: Int) -> String { String(repeating: #"\ud83c\udf33"#, count: count) }
        let item =
            #"{"SKU": "\#(text(128))", "description": "\#(text(45))", "#
            + #""displayName": "\#(text(30))", "price": 1000000000000, "#
            + #""offer": {"periodCount": 12, "price": 1000000000000, "period": "P1M", "reason": "ACQUISITION"}}"#
        let items = Array(repeating: item, count: AdvancedCommerceLimit.items)
        let request = #"{"items": [\#(items.joined(separator: ", "))]}"#
        let token = try Self.verify(Self.sign(Array(request.utf8)))
        #expect(token.json["items"]?.array?.count == 100)
    }

    @Test("A token is taken out of the purchase option that an app passes")
    func option() throws {
        let token = try Self.sign()
        let text = #"{ "signatureInfo": { "token": "\#(token)" } }"#
        #expect(try InAppRequestToken.unwrap(Array(text.utf8)) == token)
        #expect(try InAppRequestToken.unwrap(InAppRequestToken.wrap(token)) == token)
    }

    @Test(
        "A purchase option of another form is refused",
        arguments: [
            ("", .missing), (#"{"signatureInfo":{"token":""}}"#, .missing), ("{}", .malformed),
            (#"{"signatureInfo":{}}"#, .malformed), (#"{"signatureInfo":"a.b.c"}"#, .malformed),
            (#"{"signatureInfo":{"token":7}}"#, .malformed), ("a.b.c", .malformed),
            (#"{"signatureInfo":{"token":"a","token":"b"}}"#, .malformed),
            (String(repeating: " ", count: 525_313), .tooLarge),
        ] as [(String, InAppRequestTokenError)])
    func otherOption(text: String, error: InAppRequestTokenError) {
        #expect(throws: error) { try InAppRequestToken.unwrap(Array(text.utf8)) }
    }

    @Test("Each refusal has its documented number")
    func numbers() {
        #expect(
            InAppRequestTokenError.allCases.map(\.apiError.code) == [
                4_000_171, 4_000_173, 4_000_174, 4_000_174, 4_000_174, 4_000_174, 4_000_174,
                4_000_174, 4_000_174, 4_000_173,
            ])
        for error in InAppRequestTokenError.allCases {
            #expect(error.description.contains(": ") && error.description.hasSuffix("."))
        }
    }
}

extension InAppRequestTokenTests {
    fileprivate static let pythonKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEDHeAhkVVui9T/9kDrjCImli7DWtw
        UUT1t0K0Q4p5lDnbWMkkNCYGYZjQ+XaKx2eGwrHCnMt2fEyZAmu07e+BIg==
        -----END PUBLIC KEY-----
        """

    /// Made by `AdvancedCommerceAPIInAppSignatureCreator` of app-store-server-library 3.1.2, with a
    /// key that was made for it.
    fileprivate static let pythonToken =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFMTIzNDUiLCJ0eXAiOiJKV1QifQ."
        + "eyJyZXF1ZXN0IjoiZXlKeVpYRjFaWE4wU1c1bWJ5STZJSHNpY21WeGRXVnpkRkpsWm1WeVpXNWpaVWxrSWpv"
        + "Z0lqZGpPREJpWWpnMkxXWTRPVEl0TkdJeU1TMWhPVEU1TFRFek5UYzRNVEZrTm1NMFppSjlMQ0FpWTNWeWNt"
        + "VnVZM2tpT2lBaVJWVlNJaXdnSW1sMFpXMGlPaUI3SWxOTFZTSTZJQ0owY21WbGN5NXZZV3NpTENBaVpHVnpZ"
        + "M0pwY0hScGIyNGlPaUFpUldsdVpTQkZhV05vWlNJc0lDSmthWE53YkdGNVRtRnRaU0k2SUNKQ1hIVXdNR1Uw"
        + "ZFcxbElpd2dJbkJ5YVdObElqb2dORGs1TUgwc0lDSjBZWGhEYjJSbElqb2dJa013TURNdE1EQXRNaUlzSUNK"
        + "dmNHVnlZWFJwYjI0aU9pQWlRMUpGUVZSRlgwOU9SVjlVU1UxRlgwTklRVkpIUlNJc0lDSjJaWEp6YVc5dUlq"
        + "b2dJakVpZlE9PSIsImJpZCI6ImNvbS5leGFtcGxlLmdhcmRlbiIsImlzcyI6IjU3MjQ2NTQyLTk2ZmUtMWE2"
        + "My1lMDUzLTA4MjRkMDExMDcyYSIsImF1ZCI6ImFkdmFuY2VkLWNvbW1lcmNlLWFwaSIsImlhdCI6MTc5NTQ3"
        + "MzcxNSwibm9uY2UiOiJlYjkyMDM2Yy1jZDE2LTQxMmEtYmQ1My1jNGRkNTcyZDM1MGQifQ."
        + "uWx8cx9mrAtKZKFLnzX8KVwbOmk6mJ5ZDzhtSLvH480RKd-ZvJehcRJsZ7q1NBtlCrdqoS7fwUHyJc2EBFYo"
        + "IQ"
}
