import AppStoreWire
import Store
import SubscriptionRules
import Timeline

/// What a store says when it is ready: where it is and what to paste into a client. Paths of
/// secrets, never secrets.
struct Welcome: Sendable {
    var ready: ReadyFile
    /// What opens the console once; not part of the JSON, which goes into logs.
    var consoleCode: String?
    /// What opens the demonstration once, and everything with it.
    var demo: String?
    /// The same for the merchant's console beside the store.
    var merchantConsole: String?
    /// The ready file that is named in hints.
    var readyFile: String
    var clock: StoreClock.Mode
    /// What the clock shows.
    var now: Instant
    /// Whether notifications are posted.
    var isDelivering = true
    /// How many products are sold.
    var products: Int
    /// The product that is bought in hints, if there is any.
    var example: String?
    /// The file that the products are from, if one was named.
    var catalogueFile: String?
    /// Where customers are at home who name no storefront.
    var storefront: Storefront
    /// How many things were assumed about the catalogue.
    var warnings: Int
    /// Where everything is kept, in words.
    var home: String
    /// Whether the client verbs find the store by themselves.
    var isUsualHome: Bool
    var host: String
    /// The program as it was called, so that hints can be pasted.
    var program = "perennial"

    /// The words, one text a line.
    func lines(_ style: Style) -> [String] {
        // One address: the demonstration leads to everything else.
        let open = demo.map { ("Open", $0) }
        var facts = [
            open ?? ("Console", ConsoleLink.text(ready.productionURL, code: consoleCode)),
            ("Production", ready.productionURL), ("Sandbox", ready.sandboxURL),
        ]
        if let merchant = ready.merchant { facts.append(("Merchant", merchant.url)) }
        if let merchantConsole, demo == nil { facts.append(("Its console", merchantConsole)) }
        facts += [
            (
                "App",
                "\(ready.bundleID), Apple id \(ready.appAppleID), "
                    + counted(products, "product")
            ),
            ("Storefront", "\(storefront.code), prices in \(storefront.currency.code)"),
            ("Clock", clockWords), ("Data", home), ("Ready file", readyFile),
        ]
        if !isDelivering {
            facts.append(
                (
                    "Deliveries",
                    "off: notifications wait in the log; `\(program) world deliveries on\(place)` "
                        + "posts them"
                ))
        }
        var lines = [style.paint("Perennial \(Perennial.version) is open.", .strong), ""]
        lines += facts.map { "  " + style.paint($0.0.filled(to: 12), .faint) + $0.1 }
        if warnings > 0, let catalogueFile {
            lines += [
                "", "The catalogue has \(counted(warnings, "warning")); this shows them:", "",
                "  \(program) catalog check \(Welcome.word(of: catalogueFile))",
            ]
        }
        if !isLoopback {
            lines += ["", "Everybody who reaches \(host) can talk to it, without encryption."]
        }
        lines += ["", "Apple's library for Python (pip install app-store-server-library):", ""]
        lines += snippet.map { ("  " + $0).trimmingEnd() }
        return lines + ["", "Try:", ""] + trials.map { "  " + $0 }
    }

    /// The facts as JSON: the ready file without its secret.
    var json: JSONValue {
        .object([
            "production": .object(["url": .string(ready.productionURL)]),
            "sandbox": .object(["url": .string(ready.sandboxURL)]),
            "bundleId": .string(ready.bundleID), "appAppleId": .integer(ready.appAppleID),
            "issuerId": .string(ready.issuerID), "keyId": .string(ready.keyID),
            "privateKeyFile": .string(ready.privateKeyFile),
            "rootCertificateFile": .string(ready.rootCertificateFile),
            "readyFile": .string(readyFile), "products": .integer(Int64(products)),
            "clock": .object([
                "mode": .string(clock.rawValue), "now": .string(now.iso8601),
            ]), "deliveries": .bool(isDelivering),
        ])
    }

    private var clockWords: String {
        switch clock {
        case .system: "system: the machine's time, which cannot be moved"
        case .running:
            "running, \(now.plainText) UTC now; `\(program) advance P1M\(place)` moves it"
        case .frozen:
            "frozen at \(now.plainText) UTC; only `\(program) advance P1M\(place)` moves it"
        }
    }

    /// What is typed behind a verb so that it finds the store.
    private var place: String { isUsualHome ? "" : " --ready \(Welcome.word(of: readyFile))" }

    /// A path as one word of a shell that is no option.
    private static func word(of path: String) -> String {
        Remedies.word(path.hasPrefix("-") ? "./" + path : path)
    }

    private var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Apple's client has no option for the URL; its attribute is set after construction (LIB-2).
    private var snippet: [String] {
        """
        from appstoreserverlibrary.api_client import AppStoreServerAPIClient
        from appstoreserverlibrary.models.Environment import Environment
        from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

        key = open(\(quoted(ready.privateKeyFile)), "rb").read()
        root = open(\(quoted(ready.rootCertificateFile)), "rb").read()
        client = AppStoreServerAPIClient(
            key, key_id=\(quoted(ready.keyID)),
            issuer_id=\(quoted(ready.issuerID)),
            bundle_id=\(quoted(ready.bundleID)), environment=Environment.PRODUCTION)
        client._base_url = \(quoted(ready.productionURL))
        verifier = SignedDataVerifier(
            [root], enable_online_checks=False, environment=Environment.PRODUCTION,
            bundle_id=\(quoted(ready.bundleID)), app_apple_id=\(ready.appAppleID))
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func quoted(_ text: String) -> String { text.jsonText() }

    private var trials: [String] {
        var trials: [String] = []
        if let product = example {
            trials.append("\(program) buy \(product) --account ada\(place)")
        }
        if ready.merchant != nil { trials.append("\(program) merchant why ada\(place)") }
        if clock != .system { trials.append("\(program) advance P1M\(place)") }
        return trials + ["\(program) customer list\(place)"]
    }
}
