import MerchantConfiguration
import PlacedYAML
import Testing

/// What is wrong is said with its line, its member and the remedy, all of it at once.
@Suite("Merchant: configurations that are refused")
struct RefusalTests {
    /// A file, and how each problem begins and what else it says.
    struct Case: Sendable, CustomTestStringConvertible {
        let yaml: String
        let problems: [(start: String, remedy: String)]

        init(_ yaml: String, _ problems: (String, String)...) {
            self.yaml = yaml
            self.problems = problems.map { (start: $0.0, remedy: $0.1) }
        }

        var testDescription: String { problems.map(\.start).joined(separator: "; ") }
    }

    private static let app =
        "apps:\n- bundleId: a.b\n  appleId: 7\n  roots: [root-certificate.der]\n"

    static let files: [Case] = [
        Case("", ("merchant.yaml:1:", "name the apps below `apps:`")),
        Case("# nothing\n", ("merchant.yaml:1:", "name the apps below `apps:`")),
        Case("apps\n", ("merchant.yaml:1: must be a mapping", "`name: value`")),
        Case("apps: [\n", ("merchant.yaml:", "This is no YAML")),
        Case("a: b: c\n", ("merchant.yaml:1: This is no YAML", "mapping values")),
        Case("server:\n  port: 1\n", ("merchant.yaml:1: lacks `apps`", "- bundleId")),
        Case("apps:\n", ("merchant.yaml:1: `apps` has no value", "remove the line")),
        Case("apps: []\n", ("merchant.yaml:1: `apps` is empty", "- one")),
        Case("apps:\n- one\n", ("merchant.yaml:2: `apps[0]` must be a mapping", "name: value")),
        Case(
            app + app.dropFirst(6),
            ("merchant.yaml:5: `apps[1]` is a.b again", "name each app once")),
        Case(
            app + "apps: []\n", ("merchant.yaml:1: `apps` is given more than once", "keep one")),
        Case(app + "tokens: x\n", ("merchant.yaml:5: `tokens` is unknown", "use apps, server")),
    ]

    static let servers: [Case] = [
        Case(
            app + "server:\n  port: 70000\n",
            ("merchant.yaml:6: `server.port` must be a whole number", "from 0 to 65535")),
        Case(
            app + "server:\n  databaseUrl: mysql://x\n",
            ("merchant.yaml:6: `server.databaseUrl` must be a URL", "postgres://")),
        Case(
            app + "server:\n  ports: 1\n",
            ("merchant.yaml:6: `server.ports` is unknown", "host, port, data, databaseUrl")),
        Case(
            app + "server:\n  limits:\n    app: -1\n",
            ("merchant.yaml:7: `server.limits.app` must be a whole number", "from 0")),
        Case(
            app + "server:\n  limits:\n    device: 1\n",
            ("merchant.yaml:7: `server.limits.device` is unknown", "app, server, operator")),
        Case(
            app + "server: 8090\n", ("merchant.yaml:5: `server` must be a mapping", "name: value")),
    ]

    static let identities: [Case] = [
        Case(
            "apps:\n- appleId: 7\n",
            ("merchant.yaml:2: `apps[0]` lacks `bundleId`", "store:"),
            ("merchant.yaml:2: `apps[0]` lacks `roots`", "AppleRootCA-G3.cer")),
        Case(
            "apps:\n- bundleId: a b\n  appleId: 7\n  roots: [root-certificate.der]\n",
            ("merchant.yaml:2: `apps[0].bundleId` must be a bundle id", "hyphens")),
        Case(
            "apps:\n- bundleId: a.b\n  roots: [root-certificate.der]\n",
            ("merchant.yaml:2: `apps[0]` lacks `appleId`", "environments: [sandbox]")),
        Case(
            "apps:\n- bundleId: a.b\n  appleId: seven\n  roots: [root-certificate.der]\n",
            ("merchant.yaml:3: `apps[0].appleId` must be a whole number", "1 or more")),
        Case(
            "apps:\n- bundleId: a.b\n  appleId: 7\n  roots:\n  - none.cer\n",
            ("merchant.yaml:5: `apps[0].roots[0]` names none.cer", "cannot be read")),
        Case(
            "apps:\n- bundleId: a.b\n  appleId: 7\n  roots: [text.txt, key.p8]\n",
            ("merchant.yaml:4: `apps[0].roots[0]` names text.txt", "DER or PEM"),
            ("merchant.yaml:4: `apps[0].roots[1]` names key.p8", "DER or PEM")),
        Case(
            "apps:\n- bundleId: a.b\n  appleId: 7\n  roots:\n  - file: root-certificate.pem\n"
                + "    sha256: 00:11\n",
            (
                "merchant.yaml:6: `apps[0].roots[0].sha256` is not the certificate's",
                "whom you trust"
            )
        ),
        Case(
            "apps:\n- store: none.json\n", ("merchant.yaml:2: `apps[0].store`", "start the store")),
        Case("apps:\n- store: text.txt\n", ("merchant.yaml:2: `apps[0].store`", "no ready file")),
        Case(
            "apps:\n- store: ready.json\n  bundleId: a.b\n",
            ("merchant.yaml:3: `apps[0].bundleId` is in the ready file", "remove this line")),
    ]

    static let members: [Case] = [
        Case(
            app + "  api:\n    keyId: K\n    key: text.txt\n",
            ("merchant.yaml:5: `apps[0].api` lacks `issuerId`", "issuer id")),
        Case(
            app + "  api:\n    issuerId: I\n    keyId: K\n    key: text.txt\n    sandbox: there\n",
            ("merchant.yaml:8: `apps[0].api.key` names text.txt", ".p8"),
            ("merchant.yaml:9: `apps[0].api.sandbox` must be a URL", "https://")),
        Case(
            app + "  environments: [production, xcode]\n",
            ("merchant.yaml:5: `apps[0].environments[1]` must be", "production or sandbox")),
        Case(
            app + "  entitlements:\n    club: gold\n    news: [gold, gold]\n",
            ("merchant.yaml:6: `apps[0].entitlements.club` must be a list", "- one"),
            ("merchant.yaml:7: `apps[0].entitlements.news[1]` says gold again", "remove")),
        Case(
            app + "  durations:\n    pass: three months\n",
            ("merchant.yaml:6: `apps[0].durations.pass` must be a length", "P3M")),
        Case(
            app + "  durations:\n    pass: P0D\n",
            ("merchant.yaml:6: `apps[0].durations.pass` must be longer than nothing", "P3M")),
        Case(
            app + "  retention: P0D\n",
            ("merchant.yaml:5: `apps[0].retention` must be longer than nothing", "P90D")),
        Case(app + "  leeway: P1M\n", ("merchant.yaml:5: `apps[0].leeway`", "PT2H")),
        Case(app + "  leeway: P8D\n", ("merchant.yaml:5: `apps[0].leeway`", "seven days")),
        Case(app + "  test: PT59M\n", ("merchant.yaml:5: `apps[0].test`", "P1D")),
        Case(app + "  test: P31D\n", ("merchant.yaml:5: `apps[0].test`", "an hour to 30 days")),
        Case(app + "  test: daily\n", ("merchant.yaml:5: `apps[0].test`", "P1D")),
        Case(
            app + "  transfers: restore\n",
            (
                "merchant.yaml:5: `apps[0].transfers` must be refuse or keep or transfer or",
                "or {share: 3}"
            )),
        Case(
            app + "  transfers: share\n",
            ("merchant.yaml:5: `apps[0].transfers` lacks a number", "{share: 3}")),
        Case(
            app + "  transfers:\n    share: 1\n",
            ("merchant.yaml:6: `apps[0].transfers.share` must be a whole number", "from 2 to 100")),
        Case(
            app + "  transfers: {shares: 3}\n",
            ("merchant.yaml:5: `apps[0].transfers` lacks `share`", "share: 3"),
            ("merchant.yaml:5: `apps[0].transfers.shares` is unknown", "use share")),
        Case(
            app + "  sandbox: counts\n  transfers:\n  leway: PT1H\n",
            ("merchant.yaml:5: `apps[0].sandbox` must be", "separate or grants"),
            ("merchant.yaml:6: `apps[0].transfers` has no value", "remove the line"),
            ("merchant.yaml:7: `apps[0].leway` is unknown", "leeway")),
    ]

    static let intake: [Case] = [
        Case(
            app + "  sharedSecret: none.txt\n",
            ("merchant.yaml:5: `apps[0].sharedSecret` names none.txt", "cannot be read")),
        Case(
            app + "  sharedSecret: text.txt\n",
            ("merchant.yaml:5: `apps[0].sharedSecret` names text.txt", "write it there, alone")),
        Case(
            app + "  verifyReceipt: {production: https://a.example/v}\n",
            ("merchant.yaml:5: `apps[0].verifyReceipt` lacks `sandbox`", "URL"),
            ("merchant.yaml:5: `apps[0].verifyReceipt` needs", "sharedSecret: FILE")),
        Case(
            app + "  forward: https://a.example\n",
            ("merchant.yaml:5: `apps[0].forward` must be a list", "- one")),
        Case(
            app + "  forward: [ftp://a.example, http://a.example, http://a.example]\n",
            ("merchant.yaml:5: `apps[0].forward[0]` must be an http or https URL", "host"),
            ("merchant.yaml:5: `apps[0].forward[2]` is http://a.example again", "remove")),
        Case(app + "  retention: P1M\n", ("merchant.yaml:5: `apps[0].retention`", "P90D")),
        Case(app + "  retention: PT0S\n", ("merchant.yaml:5: `apps[0].retention`", "P90D")),
    ]

    @Test("It is refused", arguments: files + servers + identities + members + intake)
    func refused(_ one: Case) throws {
        let folder = try Folder("refused-\(one.yaml.hashValue)")
        let said = try folder.problems(of: one.yaml)
        #expect(said.count == one.problems.count, "\(said)")
        for (said, problem) in zip(said, one.problems) {
            #expect(said.hasPrefix(problem.start), "\(said)")
            #expect(said.contains(problem.remedy), "\(said)")
            #expect(!said.contains("\n"), "\(said)")
        }
    }

    @Test("A file that is not there, and one that is no text, are refused")
    func noFile() throws {
        let folder = try Folder("no-file")
        #expect(try folder.problems(of: "apps: \u{0}").count == 1)
        let error = #expect(throws: ConfigurationErrors.self) {
            try MerchantConfiguration.read(file: folder.file("none.yaml"))
        }
        #expect(error?.problems.map(\.line) == [nil])
        #expect(error?.description.contains("none.yaml: There is no such file") == true)
    }

    @Test("A ready file on the command line that cannot be used is named")
    func stores() throws {
        let folder = try Folder("stores-refused")
        let error = #expect(throws: ConfigurationErrors.self) {
            try MerchantConfiguration.read(
                file: nil, stores: ["text.txt", "ready.json", "ready.json"].map(folder.file))
        }
        #expect(error?.problems.count == 2)
        #expect(error?.description.contains("`--store` is com.example.store again") == true)
    }
}
