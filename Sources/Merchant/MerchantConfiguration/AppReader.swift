import AppStoreSigning
public import Merchant
import MerchantRules
import PlacedYAML
import SubscriptionRules

/// One app that a merchant serves, with what it was made of.
public struct ConfiguredApp: Sendable {
    public let setup: AppSetup
    public let roots: [TrustedRoot]
    /// The products of each entitlement that is named.
    public let entitlements: [String: [String]]
    /// The store that it was taken from; nil where the file itself says who it is.
    public let store: StoreReady?
}

/// Reads the apps of a configuration.
struct AppReader {
    /// From where paths are meant.
    let folder: String
    /// The files that were read.
    var files: [String] = []

    init(folder: String) { self.folder = folder }

    /// The environments as the file calls them.
    enum EnvironmentWord: String, CaseIterable {
        case production, sandbox

        var environment: MerchantEnvironment { self == .production ? .production : .sandbox }
    }

    /// Who an app is.
    private struct Identity {
        var bundleID: String
        var appAppleID: Int64?
        var roots: [TrustedRoot]
        var serverAPI: ServerAPI?
        var store: StoreReady?
    }

    /// An app of the file; nil where something is wrong, which is among the problems then.
    mutating func app(_ place: Place, _ problems: inout Problems) -> ConfiguredApp? {
        guard var members = Members(place, &problems) else { return nil }
        let before = problems.all.count
        let saysAppleID = members.has("store") || members.has("appleId")
        let identity =
            members.has("store")
            ? identityOfStore(&members, &problems) : ownIdentity(&members, &problems)
        let environments = environments(&members, &problems)
        let entitlements = entitlements(&members, &problems)
        let policy = policy(&members, &problems)
        let transfers = members.take("transfers", &problems)?.transferPolicy(&problems)
        let testInterval = testInterval(&members, &problems)
        let sandbox: SandboxPolicy? = members.take("sandbox", &problems)?.choice(&problems)
        let intake = intake(&members, &problems)
        members.finish(&problems)
        if !saysAppleID, environments.contains(.production) {
            problems.add(
                place,
                "lacks `appleId`: Production's signed data names it; write the app's Apple id, or "
                    + "`environments: [sandbox]`.")
        }
        guard problems.all.count == before, let identity else { return nil }
        return configured(identity, entitlements, place, &problems) { setup in
            setup.environments = environments
            setup.policy = policy
            setup.transfers = transfers ?? .refuse
            setup.sandbox = sandbox ?? .separate
            intake.set(&setup)
            setup.testInterval = testInterval
        }
    }

    /// The app of a store, as its ready file says.
    mutating func app(
        ofStoreAt path: String, _ place: Place, _ problems: inout Problems
    ) -> ConfiguredApp? {
        guard let identity = identity(ofStoreAt: path, place, &problems) else { return nil }
        return configured(identity, [:], place, &problems) { _ in }
    }

    private func configured(
        _ identity: Identity, _ entitlements: [String: [String]], _ place: Place,
        _ problems: inout Problems, _ change: (inout AppSetup) -> Void
    ) -> ConfiguredApp? {
        do {
            var setup = try AppSetup(
                bundleID: identity.bundleID, appAppleID: identity.appAppleID,
                rootDER: identity.roots.map(\.der))
            setup.serverAPI = identity.serverAPI
            for (entitlement, products) in entitlements.sorted(by: { $0.key < $1.key }) {
                for product in products { setup.grants[product, default: []].append(entitlement) }
            }
            change(&setup)
            return ConfiguredApp(
                setup: setup, roots: identity.roots, entitlements: entitlements,
                store: identity.store)
        } catch {
            problems.add(place, "cannot be verified (\(error)): give other roots.")
            return nil
        }
    }
}

// MARK: Who it is

extension AppReader {
    private mutating func ownIdentity(
        _ members: inout Members, _ problems: inout Problems
    ) -> Identity? {
        let bundleID = members.need(
            "bundleId", "write the app's bundle id, or `store: ready.json`", &problems)
        let appAppleID = members.take("appleId", &problems)?.number(1...Int64.max, &problems)
        let roots = members.need(
            "roots",
            "name the files of the certificates that are trusted: Apple's AppleRootCA-G3.cer, or "
                + "a store's", &problems)
        var api: ServerAPI?
        if let place = members.take("api", &problems) { api = serverAPI(place, &problems) }
        guard let name = bundleID?.text(&problems) else { return nil }
        if let bundleID, !Self.isBundleID(name) {
            problems.add(bundleID, "must be a bundle id: 1 to 155 letters, digits, dots, hyphens.")
        }
        guard let roots, let trusted = trustedRoots(roots, &problems) else { return nil }
        return Identity(
            bundleID: name, appAppleID: appAppleID, roots: trusted, serverAPI: api)
    }

    private mutating func identityOfStore(
        _ members: inout Members, _ problems: inout Problems
    ) -> Identity? {
        let place = members.take("store", &problems)
        for name in ["bundleId", "appleId", "roots", "api"] {
            guard let place = members.take(name, &problems) else { continue }
            problems.add(place, "is in the ready file already: remove this line, or `store`.")
        }
        guard let place, let file = place.text(&problems) else { return nil }
        return identity(ofStoreAt: Paths.path(file, from: folder), place, &problems)
    }

    private mutating func identity(
        ofStoreAt path: String, _ place: Place, _ problems: inout Problems
    ) -> Identity? {
        files.append(path)
        guard let store = StoreReady(at: path, named: place, &problems),
            let roots = trustedRoots(of: store, place, &problems),
            let key = key(
                at: store.privateKeyFile, store.keyID, of: store.issuerID, place, &problems)
        else { return nil }
        return Identity(
            bundleID: store.bundleID, appAppleID: store.appAppleID, roots: roots,
            serverAPI: ServerAPI(urls: store.urls, key: key), store: store)
    }

    /// What signs a store's data, and what signs its receipts.
    private mutating func trustedRoots(
        of store: StoreReady, _ place: Place, _ problems: inout Problems
    ) -> [TrustedRoot]? {
        let files = [store.rootCertificateFile, store.receiptRootCertificateFile]
        var all: [TrustedRoot] = []
        for file in files.compactMap(\.self) {
            guard let roots = trustedRoots(at: file, place, &problems) else { return nil }
            all += roots
        }
        return all
    }

    /// Letters, digits, dots and hyphens, as Apple allows them.
    private static func isBundleID(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) }
    }

    /// A file, or a mapping of a file and the fingerprint that it must have, an element.
    private mutating func trustedRoots(
        _ place: Place, _ problems: inout Problems
    ) -> [TrustedRoot]? {
        guard let elements = place.elements(&problems) else { return nil }
        let before = problems.all.count
        var all: [TrustedRoot] = []
        for element in elements { all += trustedRoot(element, &problems) ?? [] }
        return problems.all.count == before ? all : nil
    }

    private mutating func trustedRoot(
        _ place: Place, _ problems: inout Problems
    ) -> [TrustedRoot]? {
        guard place.isMapping else {
            guard let name = place.text(&problems) else { return nil }
            return trustedRoots(at: Paths.path(name, from: folder), place, &problems)
        }
        guard var members = Members(place, &problems) else { return nil }
        let file = members.need("file", "name the certificate's file", &problems)
        let fingerprint = members.take("sha256", &problems)
        members.finish(&problems)
        guard let file, let name = file.text(&problems),
            let roots = trustedRoots(at: Paths.path(name, from: folder), file, &problems)
        else { return nil }
        guard let fingerprint, let wanted = fingerprint.text(&problems) else { return roots }
        let digits = wanted.lowercased().filter { $0 != ":" }
        guard roots.allSatisfy({ $0.fingerprint == digits }) else {
            problems.add(
                fingerprint,
                "is not the certificate's, which is \(roots[0].fingerprint): get the file again "
                    + "from whom you trust.")
            return nil
        }
        return roots
    }

    private mutating func trustedRoots(
        at path: String, _ place: Place, _ problems: inout Problems
    ) -> [TrustedRoot]? {
        files.append(path)
        return TrustedRoot.all(in: path, named: place, &problems)
    }
}

// MARK: The App Store Server API

extension AppReader {
    private mutating func serverAPI(_ place: Place, _ problems: inout Problems) -> ServerAPI? {
        guard var members = Members(place, &problems) else { return nil }
        let issuerID = members.need("issuerId", "write the issuer id of the key", &problems)?
            .text(&problems)
        let keyID = members.need("keyId", "write the key's id", &problems)?.text(&problems)
        let file = members.need("key", "name the key's .p8 file", &problems)
        var urls = ServerAPI.appStore
        for word in EnvironmentWord.allCases {
            guard let place = members.take(word.rawValue, &problems),
                let text = place.text(&problems)
            else { continue }
            if let url = Self.baseURL(text) {
                urls[word.environment] = url
            } else {
                problems.add(place, "must be a URL: write https://api.storekit.apple.com.")
            }
        }
        members.finish(&problems)
        guard let issuerID, let keyID, let file, let name = file.text(&problems),
            let key = key(
                at: Paths.path(name, from: folder), keyID, of: issuerID, file, &problems)
        else { return nil }
        return ServerAPI(urls: urls, key: key)
    }

    static func baseURL(_ text: String) -> String? {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }),
            text.count > scheme.count, text.allSatisfy({ !$0.isWhitespace })
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private mutating func key(
        at path: String, _ keyID: String, of issuerID: String, _ place: Place,
        _ problems: inout Problems
    ) -> APIKey? {
        files.append(path)
        guard let bytes = place.contents(of: path, &problems) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self),
            let key = try? APIKey(keyID: keyID, issuerID: issuerID, privateKeyPEM: text)
        else {
            problems.add(
                place, "names \(path), which holds no In-App Purchase key: give the .p8 file.")
            return nil
        }
        return key
    }
}

extension CalendarStep {
    /// Whether a text is a length of nothing, such as `P0D`.
    static func isNothing(_ text: String) -> Bool {
        CalendarStep(iso8601: text).map {
            $0.months == 0 && $0.days == 0 && $0.time == Span(milliseconds: 0)
        } ?? false
    }
}

// MARK: What it grants

extension AppReader {
    /// How often a test notification is asked for.
    private func testInterval(_ members: inout Members, _ problems: inout Problems) -> Span? {
        guard let place = members.take("test", &problems), let text = place.text(&problems)
        else { return nil }
        guard let step = CalendarStep(iso8601: text), step.months == 0, step.days <= 30,
            step.time <= .days(30)
        else {
            problems.add(place, "must be a length from an hour to 30 days: write P1D.")
            return nil
        }
        let length = Span(
            milliseconds: Span.days(step.days).milliseconds + step.time.milliseconds)
        guard length >= .hours(1), length <= .days(30) else {
            problems.add(place, "must be a length from an hour to 30 days: write P1D.")
            return nil
        }
        return length
    }

    private func environments(
        _ members: inout Members, _ problems: inout Problems
    ) -> Set<MerchantEnvironment> {
        guard let place = members.take("environments", &problems),
            let elements = place.elements(&problems)
        else { return Set(MerchantEnvironment.allCases) }
        var environments: Set<MerchantEnvironment> = []
        for element in elements {
            let word: EnvironmentWord? = element.choice(&problems)
            if let word { environments.insert(word.environment) }
        }
        return environments
    }

    private func entitlements(
        _ members: inout Members, _ problems: inout Problems
    ) -> [String: [String]] {
        guard let place = members.take("entitlements", &problems),
            var named = Members(place, &problems)
        else { return [:] }
        var entitlements: [String: [String]] = [:]
        for (name, place) in named.takeAll() {
            entitlements[name] = place.texts(&problems)
        }
        return entitlements
    }

    private func policy(_ members: inout Members, _ problems: inout Problems) -> AccessPolicy {
        var policy = AccessPolicy()
        if let place = members.take("leeway", &problems), let text = place.text(&problems) {
            let step = CalendarStep(iso8601: text)
            if let step, step.months == 0, step.days <= 7, step.time <= .days(7) {
                policy.leeway = Span(
                    milliseconds: Span.days(step.days).milliseconds + step.time.milliseconds)
            } else {
                problems.add(place, "must be a length of at most seven days: write PT2H or P1D.")
            }
        }
        if let place = members.take("durations", &problems),
            var products = Members(place, &problems)
        {
            for (product, place) in products.takeAll() {
                guard let text = place.text(&problems) else { continue }
                policy.durations[product] = CalendarPeriod(iso8601: text)
                if policy.durations[product] == nil {
                    let rule =
                        CalendarStep.isNothing(text)
                        ? "longer than nothing" : "a length of one unit"
                    problems.add(place, "must be \(rule): write P30D, P3M or P1Y.")
                }
            }
        }
        return policy
    }
}
