import AppStoreSigning
import AppStoreWire
import ArgumentParser
import Merchant
import MerchantConfiguration
import MerchantRules
import PlacedYAML
import SubscriptionRules
import Timeline

/// Says what a configuration does, or everything that is wrong with it.
struct MerchantCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what a merchant's configuration does, or what is wrong with it.",
        discussion: """
            Exit code 1 when it has errors; a merchant that runs keeps the one before.

              perennial merchant check merchant.yaml
              perennial merchant check merchant.yaml --json
            """)

    @Argument(
        help: "The configuration (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let found: MerchantConfiguration
        do {
            found = try MerchantConfiguration.read(file: file)
        } catch {
            if json {
                Output.line(PrettyJSON.text(of: error.value))
            } else {
                for problem in error.problems { Output.line("\(problem)") }
            }
            // All was said.
            throw Failure.refused("")
        }
        if json {
            Output.line(PrettyJSON.text(of: Self.value(of: found)))
        } else {
            let style = Output.style()
            for app in found.apps {
                for line in Self.words(app, style) { Output.line(line) }
            }
        }
    }

    private static func value(of configuration: MerchantConfiguration) -> JSONValue {
        .object(["apps": .array(configuration.apps.map { value(of: $0) })])
    }

    private static func value(of app: ConfiguredApp) -> JSONValue {
        let setup = app.setup
        var members: [String: JSONValue] = [
            "bundleId": .string(setup.bundleID),
            "environments": .array(environments(setup).map { .string($0.name) }),
            "roots": .array(
                app.roots.map {
                    .object(["file": .string($0.file), "sha256": .string($0.fingerprint)])
                }),
            "entitlements": .object(
                app.entitlements.mapValues { .array($0.map(JSONValue.string)) }),
            "durations": .object(setup.policy.durations.mapValues { .string($0.iso8601) }),
            "leewaySeconds": .integer(setup.policy.leeway.milliseconds / 1000),
            "transfers": .string(setup.transfers.name),
            "sandbox": .string(setup.sandbox.rawValue),
        ]
        if case .share(let most) = setup.transfers { members["sharedBy"] = .integer(most) }
        members.merge(IntakeWords.members(of: setup)) { first, _ in first }
        if let number = setup.appAppleID { members["appleId"] = .integer(number) }
        if let interval = setup.testInterval {
            members["testSeconds"] = .integer(interval.milliseconds / 1000)
        }
        if let api = setup.serverAPI {
            members["api"] = .object([
                "issuerId": .string(api.key.issuerID), "keyId": .string(api.key.keyID),
                "urls": .object(
                    Dictionary(
                        uniqueKeysWithValues: api.urls.map {
                            ($0.key.name, JSONValue.string($0.value))
                        })),
            ])
        }
        return .object(members)
    }

    /// What an app's configuration does, one text a line.
    private static func words(_ app: ConfiguredApp, _ style: Style) -> [String] {
        let setup = app.setup
        let number = setup.appAppleID.map { ", Apple id \($0)" } ?? ""
        var lines = [
            style.paint(setup.bundleID + number, .strong),
            "  takes \(environments(setup).map(\.name).joined(separator: " and "))",
        ]
        lines += app.roots.map { "  trusts \($0.fingerprint) (\($0.file))" }
        for (entitlement, products) in app.entitlements.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(entitlement): \(products.joined(separator: ", "))")
        }
        lines.append(
            "  \(app.entitlements.isEmpty ? "each" : "each other") product unlocks what is named "
                + "like its subscription group, or like itself")
        for (product, length) in setup.policy.durations.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(product) runs \(length.iso8601)")
        }
        let leeway = setup.policy.leeway.milliseconds / 1000
        if leeway > 0 {
            lines.append("  a renewal that is expected may be \(leeway) seconds late")
        }
        lines.append("  a purchase of another account \(fate(under: setup.transfers))")
        lines.append(
            setup.sandbox == .separate
                ? "  Sandbox unlocks entitlements of its own"
                : "  Sandbox unlocks the same as Production")
        lines += IntakeWords.lines(of: setup)
        if let interval = setup.testInterval {
            lines.append(
                "  asks for a test notification every \(interval.milliseconds / 60_000) minutes")
        }
        if let api = setup.serverAPI {
            lines += environments(setup).compactMap { environment in
                api.urls[environment].map {
                    "  \(environment.name): App Store Server API at \($0), key \(api.key.keyID)"
                }
            }
        }
        return lines
    }

    /// What comes of another account's purchase, as the end of a sentence.
    private static func fate(under policy: TransferPolicy) -> String {
        switch policy {
        case .refuse: "is refused, unless the customer restores it"
        case .keep: "stays there, also where the customer restores it"
        case .transfer: "moves to the account that sends it"
        case .transferIfInactive: "moves to the account that sends it once it gives no access"
        case .share(let most): "is shared by up to \(most) accounts"
        }
    }

    private static func environments(_ setup: AppSetup) -> [MerchantEnvironment] {
        MerchantEnvironment.allCases.filter(setup.environments.contains)
    }
}
