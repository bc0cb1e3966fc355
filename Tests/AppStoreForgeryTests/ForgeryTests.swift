import AppStoreSigning
import AppStoreWire
import TestFloor
import Testing

@testable import AppStoreForgery

@Suite("Forgeries")
struct ForgeryTests {
    @Test("Our verifiers answer every forgery as its kind says (JWS-2)", arguments: Forged.cases)
    func answers(kind name: String, environment: Environment) async throws {
        let kind = try #require(ForgeryKind.named(name))
        let forgery = try Forged.make(kind, in: environment)
        let answer = try await Forged.verify(forgery.text, as: kind.about, in: environment)
        #expect(answer == kind.answer)
        // What comes before a forgery is genuine.
        if let first = forgery.first {
            let answer = try await Forged.verify(first, as: kind.about, in: environment)
            #expect(answer == .accepted)
        }
    }

    @Test("Every subject has texts that must be accepted and many that must not")
    func controls() {
        for about in ForgerySubject.allCases {
            let kinds = ForgeryKind.all.filter { $0.about == about }
            #expect(kinds.contains { $0.fault == "genuine" && !$0.mustBeRefused })
            #expect(kinds.count { !$0.mustBeRefused && $0.lookAt == nil } >= 2)
            #expect(
                kinds.filter(\.mustBeRefused).count >= (about == .receipt ? 35 : 40), "\(about)")
        }
    }

    @Test("Names are in kebab-case, each one's own, and lead back to the kind")
    func names() {
        var seen: Set<String> = []
        for kind in ForgeryKind.all {
            #expect(seen.insert(kind.name).inserted, "\(kind.name)")
            #expect(kind.name.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil, "\(kind.name)")
            #expect(ForgeryKind.named(kind.name)?.fault == kind.fault)
        }
        #expect(ForgeryKind.named("transaction") == nil)
    }

    @Test("Every kind says in sentences what is wrong, and where verifiers differ why")
    func words() {
        for kind in ForgeryKind.all {
            #expect(kind.why.hasSuffix("."), "\(kind.name)")
            #expect(kind.lookAt == nil || kind.answer == .accepted, "\(kind.name)")
            #expect(kind.lookAt?.hasSuffix(".") != false, "\(kind.name)")
            #expect(kind.difference?.hasSuffix(".") != false, "\(kind.name)")
            guard kind.about.isVerifiedByApple else {
                #expect(kind.appleStatus == nil && kind.difference == nil, "\(kind.name)")
                continue
            }
            let differ = (kind.appleStatus == .ok) == kind.mustBeRefused
            #expect(differ == (kind.difference != nil), "\(kind.name)")
        }
    }

    @Test("A kind that says nothing in an environment is refused there")
    func environments() throws {
        let kind = try #require(ForgeryKind.named("notification-wrong-app-apple-id"))
        #expect(throws: ForgeryImpossible.onlyIn(.production)) {
            try Forged.make(kind, in: .sandbox)
        }
    }

    @Test("What the purchase lacks cannot be forged, and everything else can")
    func lacking() throws {
        var material = Forged.material(.production)
        material.renewalInfo = nil
        material.ofOther = nil
        var generator = SeededGenerator(seed: 1)
        var impossible: [ForgeryImpossible: Set<String>] = [:]
        for kind in ForgeryKind.all {
            do {
                let forgery = try Forged.forger.make(kind, of: material, using: &generator)
                #expect(kind.fault == "text-empty" || !forgery.text.isEmpty)
            } catch let error as ForgeryImpossible {
                impossible[error, default: []].insert(kind.name)
            }
        }
        #expect(Set(impossible.keys) == [.notASubscription, .noOtherCustomer])
        #expect(
            impossible[.noOtherCustomer] == [
                "transaction-of-another-customer", "receipt-of-another-customer",
            ])
        let needSubscription =
            ForgeryKind.all.filter { $0.about == .renewalInfo }.map(\.name) + [
                "transaction-of-another-sort", "notification-inner-renewal-info-forged",
            ]
        #expect(impossible[.notASubscription] == Set(needSubscription))
    }

    @Test("Without certificates for receipts everything else is forged")
    func withoutReceipts() throws {
        let forger = Forger(chain: Forged.chain, key: Forged.key)
        var generator = SeededGenerator(seed: 1)
        for kind in ForgeryKind.all where kind.fault == "genuine" {
            if kind.about == .receipt {
                #expect(throws: ForgeryImpossible.noReceipts) {
                    try forger.make(
                        kind, of: Forged.material(.production), using: &generator)
                }
            } else {
                _ = try forger.make(
                    kind, of: Forged.material(.production), using: &generator)
            }
        }
    }

    @Test("The inside of a notification that is genuine outside is refused by itself")
    func insides() async throws {
        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: Forged.chain.rootDER), bundleID: Forged.bundleID,
            environment: .production, appAppleID: Forged.appAppleID)
        for (fault, code) in [
            ("inner-transaction-forged", JWSVerificationError.Code.wrongSignature),
            ("inner-transaction-of-another-app", .wrongBundle),
            ("inner-renewal-info-forged", .wrongSignature),
        ] {
            let kind = try #require(ForgeryKind.named("notification-\(fault)"))
            let forgery = try Forged.make(kind, in: .production)
            let data = try #require(try await verifier.verifyNotification(forgery.text).data)
            let error = await #expect(throws: JWSVerificationError.self) {
                if fault.contains("renewal") {
                    _ = try await verifier.verifyRenewalInfo(data.signedRenewalInfo ?? "")
                } else {
                    _ = try await verifier.verifyTransaction(data.signedTransactionInfo ?? "")
                }
            }
            #expect(error?.code == code)
        }
    }

    @Test("A used nonce is the first request's, and a replay says less than what came first")
    func pairs() async throws {
        let tokens = RequestTokenVerifier(
            keys: [Forged.key.keyID: VerificationKey(Forged.key)],
            issuerID: Forged.key.issuerID)
        let used = try Forged.make(
            try #require(ForgeryKind.named("in-app-request-nonce-used")), in: .production)
        func request(_ text: String) throws -> InAppRequestToken {
            try tokens.verify(
                inAppRequest: text, bundleID: Forged.bundleID, now: Forged.now)
        }
        let first = try request(try #require(used.first))
        #expect(try request(used.text).nonce == first.nonce)
        #expect(try request(used.text).request != first.request)

        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: Forged.chain.rootDER), bundleID: Forged.bundleID,
            environment: .sandbox, appAppleID: nil)
        var material = Forged.material(.sandbox)
        material.transaction.revocationDate = material.transaction.signedDate
        material.transaction.revocationReason = .other
        var generator = SeededGenerator(seed: 1)
        let replayed = try Forged.forger.make(
            try #require(ForgeryKind.named("transaction-replayed")), of: material,
            using: &generator)
        let now = try await verifier.verifyTransaction(try #require(replayed.first))
        let then = try await verifier.verifyTransaction(replayed.text)
        #expect(then.transactionId == now.transactionId)
        #expect(then.signedDate < now.signedDate)
        #expect(then.revocationDate == nil && now.revocationDate != nil)
    }

    @Test("Who forges shows its keys to nobody who prints it")
    func silence() {
        #expect("\(Forged.forger)" == "Forger")
        #expect(String(reflecting: Forged.forger) == "Forger")
        #expect(Mirror(reflecting: Forged.forger).children.isEmpty)
    }
}
