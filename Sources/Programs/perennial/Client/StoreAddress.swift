import FoundationEssentials

/// Where a running store is, and the secret that opens it.
struct StoreAddress: Hashable, Sendable {
    /// The URL of one environment's server, without a slash at its end.
    var url: String
    /// The operator token, which is never shown.
    var operatorToken: String
    /// The app that customers sign in to; nil where only the store itself knows.
    var bundleID: String?
    /// Where the other environment is; nil where only one is known.
    var other: Other?

    /// The merchant beside the store; nil where none is known.
    var merchant: MerchantReady?

    /// The other environment of the same store.
    struct Other: Hashable, Sendable {
        var url: String
        /// What to do to mean it.
        var remedy: String
    }

    /// What was said about where the store is.
    struct Wanted: Hashable, Sendable {
        var readyFile: String?
        var url: String?
        var token: String?
        var isSandbox = false
        /// Whether Sandbox is meant where a ready file names both.
        var prefersSandbox = false
    }

    /// Where `serve` leaves the ready file unless it is told another data directory.
    static let usualReadyFile = "perennial-data/ready.json"

    /// The ready file that is meant: the one that was named, else that of PERENNIAL_READY.
    static func readyFile(_ named: String?) -> String {
        named ?? Variables.current.variable("PERENNIAL_READY") ?? usualReadyFile
    }

    /// Finds the store: what was said on the command line counts before the environment.
    ///
    /// - Parameter environment: the variables PERENNIAL_READY, PERENNIAL_URL and PERENNIAL_TOKEN.
    static func find(_ wanted: Wanted, environment: [String: String]) throws -> StoreAddress {
        let readyFile = wanted.readyFile
        let url = wanted.url ?? (readyFile == nil ? environment.variable("PERENNIAL_URL") : nil)
        guard let url else {
            let path = readyFile ?? environment.variable("PERENNIAL_READY") ?? Self.usualReadyFile
            let ready = try ReadyFile.read(path)
            let isSandbox = wanted.isSandbox || wanted.prefersSandbox
            return StoreAddress(
                url: isSandbox ? ready.sandboxURL : ready.productionURL,
                operatorToken: ready.operatorToken, bundleID: ready.bundleID,
                other: isSandbox
                    ? Other(url: ready.productionURL, remedy: "in Production: leave --sandbox out")
                    : Other(url: ready.sandboxURL, remedy: "in Sandbox: add --sandbox"),
                merchant: ready.merchant)
        }
        guard readyFile == nil else {
            throw Failure.usage("--ready and --url both say where the store is; give one of them.")
        }
        guard !wanted.isSandbox else {
            throw Failure.usage(
                "--sandbox chooses between the ports of a ready file; with a URL give the "
                    + "sandbox's own.")
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw Failure.usage("'\(url)' is no URL of a store: write http://127.0.0.1:8080.")
        }
        guard let token = wanted.token ?? environment.variable("PERENNIAL_TOKEN") else {
            throw Failure.usage(
                "A URL needs the operator token too: set PERENNIAL_TOKEN to the `operatorToken` "
                    + "of the store's ready file.")
        }
        return StoreAddress(
            url: url.hasSuffix("/") ? String(url.dropLast()) : url, operatorToken: token)
    }
}
