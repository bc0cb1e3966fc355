import AppStoreSigning
import Foundation
import Merchant
import MerchantRules
import SubscriptionRules
import Testing

@testable import MerchantConfiguration

/// What a configuration says takes effect.
@Suite("Merchant: configurations")
struct ConfigurationTests {
    private static let app = """
        apps:
        - bundleId: com.example.garden
          appleId: 1234567890
          roots: [root-certificate.der]

        """

    /// The one app of a configuration.
    private func setup(_ members: String, in folder: Folder) throws -> AppSetup {
        try #require(try folder.read(Self.app + members).setups.first)
    }

    @Test("An app needs its bundle id, its Apple id and its roots; all else has a default")
    func least() throws {
        let folder = try Folder("least")
        let configuration = try folder.read(Self.app)
        #expect(configuration.apps.count == 1)
        #expect(configuration.server == MerchantConfiguration.ServerSettings())
        let setup = configuration.setups[0]
        #expect(setup.bundleID == "com.example.garden")
        #expect(setup.appAppleID == 1_234_567_890)
        #expect(setup.environments == [.production, .sandbox])
        #expect(setup.grants.isEmpty)
        #expect(setup.policy == AccessPolicy())
        #expect(setup.transfers == .refuse)
        #expect(setup.sandbox == .separate)
        #expect(setup.serverAPI == nil)
        #expect(
            configuration.files == ["merchant.yaml", "root-certificate.der"].map(folder.file))
    }

    @Test(
        "A root is a file in DER or PEM, by itself or with its fingerprint",
        arguments: [
            "[root-certificate.der]", "[root-certificate.pem]",
            "[{file: root-certificate.der, sha256: FINGERPRINT}]",
            "[{file: ./root-certificate.pem, sha256: 'FINGER:PRINT'}]",
        ])
    func roots(_ text: String) throws {
        let folder = try Folder("roots-\(text.hashValue)")
        let wanted = TrustedRoot(
            file: folder.file("root-certificate.der"), der: Folder.chain.rootDER
        ).fingerprint
        let written = wanted.prefix(20).uppercased() + ":" + wanted.dropFirst(20).uppercased()
        let list = text.replacing("FINGERPRINT", with: wanted)
            .replacing("FINGER:PRINT", with: written)
        let configuration = try folder.read(
            "apps:\n- bundleId: a.b\n  appleId: 7\n  roots: \(list)\n")
        #expect(configuration.apps[0].roots.map(\.fingerprint) == [wanted])
        #expect(configuration.apps[0].roots[0].der == Folder.chain.rootDER)
        #expect(wanted.count == 64)
    }

    @Test("A file of several certificates trusts them all")
    func bundle() throws {
        let folder = try Folder("bundle")
        let texts = try ["root", "intermediate"].map {
            try String(contentsOfFile: folder.file("\($0)-certificate.pem"), encoding: .utf8)
        }
        try folder.write("Two:\n" + texts.joined(separator: "\n"), to: "both.pem")
        let configuration = try folder.read(
            "apps:\n- bundleId: a.b\n  appleId: 7\n  roots: [both.pem]\n")
        #expect(configuration.apps[0].roots.count == 2)
    }

    @Test("Entitlements and products are many to many")
    func entitlements() throws {
        let folder = try Folder("entitlements")
        let setup = try setup(
            "  entitlements:\n    news: [gold, silver]\n    archive:\n    - gold\n    none: [x]\n",
            in: folder)
        #expect(
            setup.grants == ["gold": ["archive", "news"], "silver": ["news"], "x": ["none"]])
    }

    @Test("Lengths, policies and environments")
    func policies() throws {
        let folder = try Folder("policies")
        let setup = try setup(
            """
              leeway: PT66M
              durations: {pass: P3M, day: P1D}
              transfers: transfer
              sandbox: grants
              environments: [sandbox]

            """, in: folder)
        #expect(setup.policy.leeway == .minutes(66))
        #expect(
            setup.policy.durations == ["pass": CalendarPeriod(3, .month), "day": .init(1, .day)])
        #expect(setup.transfers == .transfer)
        #expect(setup.sandbox == .grants)
        #expect(setup.environments == [.sandbox])
        let days = try self.setup("  leeway: P1D\n", in: folder)
        #expect(days.policy.leeway == .days(1))
        #expect(days.testInterval == nil)
        #expect(try self.setup("  test: P1D\n", in: folder).testInterval == .days(1))
        #expect(try self.setup("  test: PT1H\n", in: folder).testInterval == .hours(1))
    }

    @Test(
        "What comes of another account's purchase is a word, or how many share it",
        arguments: [
            ("refuse", .refuse), ("keep", .keep), ("transfer", .transfer),
            ("transferIfInactive", .transferIfInactive), ("{share: 3}", .share(upTo: 3)),
        ] as [(String, TransferPolicy)])
    func transfers(word: String, policy: TransferPolicy) throws {
        let folder = try Folder("transfers-\(policy.name)")
        #expect(try setup("  transfers: \(word)\n", in: folder).transfers == policy)
    }

    @Test("Sandbox alone needs no Apple id")
    func sandboxAlone() throws {
        let folder = try Folder("sandbox-alone")
        let configuration = try folder.read(
            "apps:\n- {bundleId: a.b, roots: [root-certificate.der], environments: [sandbox]}\n")
        #expect(configuration.setups[0].appAppleID == nil)
    }

    @Test("The App Store Server API is Apple's unless a URL is given")
    func serverAPI() throws {
        let folder = try Folder("api")
        let api = try #require(
            try setup(
                """
                  api:
                    issuerId: 57246542-96fe-1a63-e053-0824d011072a
                    keyId: 2X9R4HXF34
                    key: key.p8
                    sandbox: http://127.0.0.1:8081/

                """, in: folder
            ).serverAPI)
        #expect(
            api.urls == [
                .production: "https://api.storekit.apple.com", .sandbox: "http://127.0.0.1:8081",
            ])
        #expect(api.key.keyID == "2X9R4HXF34")
        #expect(api.key.issuerID == "57246542-96fe-1a63-e053-0824d011072a")
        #expect(api.key.publicKeyPEM == Folder.key.publicKeyPEM)
    }

    @Test("A store's ready file is an app, in the file and on the command line")
    func store() throws {
        let folder = try Folder("store")
        let named = try folder.read("apps:\n- store: ready.json\n  leeway: PT1H\n")
        let given = try MerchantConfiguration.read(file: nil, stores: [folder.file("ready.json")])
        for configuration in [named, given] {
            let app = try #require(configuration.apps.first)
            #expect(app.setup.bundleID == "com.example.store")
            #expect(app.setup.appAppleID == 7)
            #expect(app.roots.map(\.der) == [Folder.chain.rootDER])
            #expect(app.setup.serverAPI?.urls[.sandbox] == "http://127.0.0.1:8081")
            #expect(app.setup.serverAPI?.key.keyID == Folder.key.keyID)
            #expect(app.store?.operatorToken == "operator_x")
            #expect(configuration.files.contains(folder.file("ready.json")))
        }
        #expect(named.setups[0].policy.leeway == .hours(1))
        try folder.write(Self.app, to: "own.yaml")
        let both = try MerchantConfiguration.read(
            file: folder.file("own.yaml"), stores: [folder.file("ready.json")])
        #expect(both.setups.map(\.bundleID) == ["com.example.garden", "com.example.store"])
    }

    @Test("What is taken beside signed data of today, what goes on, and what is kept how long")
    func intake() throws {
        let folder = try Folder("intake")
        try folder.write("0123456789abcdef0123456789abcdef\n", to: "secret.txt")
        let configuration = try folder.read(
            Self.app
                + """
                  sharedSecret: secret.txt
                  verifyReceipt:
                    production: https://buy.itunes.apple.com/verifyReceipt
                    sandbox: https://sandbox.itunes.apple.com/verifyReceipt
                  forward: [https://one.example/apple, 'http://127.0.0.1:9000/two?app=1']
                  retention: P90DT12H

                """)
        let setup = configuration.setups[0]
        #expect(setup.sharedSecret?.matches("0123456789abcdef0123456789abcdef") == true)
        #expect(setup.sharedSecret?.matches("0123456789abcdef0123456789abcde") == false)
        #expect("\(setup)".contains("0123456789abcdef") == false)
        #expect(
            setup.receiptService == [
                .production: "https://buy.itunes.apple.com/verifyReceipt",
                .sandbox: "https://sandbox.itunes.apple.com/verifyReceipt",
            ])
        #expect(setup.forward == ["https://one.example/apple", "http://127.0.0.1:9000/two?app=1"])
        #expect(setup.retention == .hours(90 * 24 + 12))
        #expect(configuration.files.contains(folder.file("secret.txt")))
        let least = try self.setup("", in: folder)
        #expect(least.sharedSecret == nil)
        #expect(least.receiptService == nil)
        #expect(least.forward.isEmpty)
        #expect(least.retention == nil)
    }

    @Test("The root of a store's receipts is trusted where its ready file names one")
    func receiptRoot() throws {
        let folder = try Folder("receipt-root")
        let ready = try String(contentsOfFile: folder.file("ready.json"), encoding: .utf8)
        try folder.write(
            ready.replacing(
                "\"operatorToken\"",
                with: "\"receiptRootCertificateFile\": "
                    + "\"\(folder.file("intermediate-certificate.pem"))\", \"operatorToken\""),
            to: "ready.json")
        let app = try #require(try folder.read("apps:\n- store: ready.json\n").apps.first)
        #expect(app.roots.count == 2)
        #expect(app.roots[0].der == Folder.chain.rootDER)
    }

    @Test("How the server runs")
    func server() throws {
        let folder = try Folder("server")
        let server = try folder.read(
            Self.app + "server:\n  host: 0.0.0.0\n  port: 9000\n  data: kept\n"
                + "  databaseUrl: postgres://merchant@db/merchant\n"
                + "  limits: {app: 200, operator: 0}\n"
        ).server
        #expect(server.limits.app == 200)
        #expect(server.limits.server == nil)
        #expect(server.limits.theOperator == 0)
        #expect(server.host == "0.0.0.0")
        #expect(server.port == 9000)
        #expect(server.data == folder.file("kept"))
        #expect(server.databaseURL == "postgres://merchant@db/merchant")
    }
}
