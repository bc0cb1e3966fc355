import AppStoreWire
import SubscriptionRules

extension CatalogueReader {
    /// Reads `settings`: the storefront counts, what Xcode simulates is only named.
    mutating func readSettings(_ root: Node) -> Storefront {
        isStorefrontAssumed = true
        guard let settings = root.member("settings") else { return .usa }
        guard findings.isObject(settings) else { return .usa }
        noteSwitches(settings)
        noteTimeRate(settings)
        noteErrors(settings)
        return readStorefront(settings)
    }

    /// The language that the app is written in first (SKF-10): texts fall back on it.
    mutating func readLocale(_ root: Node) -> String? {
        guard let settings = root.member("settings"), settings.value.object != nil,
            let locale = readLocale("_locale", of: settings)
        else { return nil }
        let parts = locale.split(separator: "_", omittingEmptySubsequences: false)
        let isLocale =
            (2...3).contains(parts.first?.count ?? 0)
            && parts.allSatisfy {
                (2...8).contains($0.count) && $0.utf8.allSatisfy(isLetterOrDigit)
            }
        guard isLocale, locale.count <= 35 else {
            findings.warn(
                settings.path(of: "_locale"), "\(quoted(locale)) is no locale; ignored.",
                remedy: "Write one such as \"en_US\".")
            return nil
        }
        return locale
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private mutating func readStorefront(_ settings: Node) -> Storefront {
        // Absent and empty mean Apple's default (SKF-10).
        guard let code = findings.filledText("_storefront", of: settings) else { return .usa }
        isStorefrontAssumed = false
        if let storefront = Storefront(code: code) { return storefront }
        let path = settings.path(of: "_storefront")
        if let storefront = Storefront(code: code.uppercased()) {
            findings.warn(
                path, "The storefront \(quoted(code)) is read as \(storefront.code).",
                remedy: "Write the code in capitals.")
            return storefront
        }
        // Prices without a known currency mean nothing: this cannot be tolerated.
        findings.fail(
            path, "The App Store has no storefront \(quoted(code)).",
            remedy: "Choose one in Xcode, or write a three-letter code such as \"USA\".")
        return .usa
    }

    /// What Xcode's own test session would simulate, and how to have the same from the store.
    private static let switches: [(key: String, what: String, instead: String)] = [
        (
            "_askToBuyEnabled", "Ask to Buy",
            "Make an account ask: `perennial customer set ACCOUNT --asks-to-buy on`."
        ),
        (
            "_billingIssuesEnabled", "Interrupted purchases",
            "Interrupt an account's: `perennial customer set ACCOUNT --interrupts-purchases on`."
        ),
        (
            "_renewalBillingIssuesEnabled", "Failing renewals",
            "Make the payment method decline before the renewal: `perennial pay ACCOUNT decline`."
        ),
        (
            "_billingGracePeriodEnabled", "The Billing Grace Period",
            "Turn it on for the app: `perennial app set --grace-period 16`."
        ),
        (
            "_failTransactionsEnabled", "Failing purchases",
            "Make the payment method decline: `perennial pay ACCOUNT decline`."
        ),
    ]

    private mutating func noteSwitches(_ settings: Node) {
        for (key, what, instead) in Self.switches
        where settings.member(key)?.value.bool == true {
            findings.warn(
                settings.path(of: key), "\(what) cannot be switched on by a file; ignored.",
                remedy: instead)
        }
    }

    private mutating func noteTimeRate(_ settings: Node) {
        guard let rate = settings.member("_timeRate")?.value.integer, rate != 0 else { return }
        findings.warn(
            settings.path(of: "_timeRate"),
            "Xcode's renewal speed \(rate) is not used: the store has a clock.",
            remedy: "Move the clock with `perennial advance P1M`, or use the Sandbox port, where "
                + "each customer has a speed.")
    }

    /// Errors that Xcode would inject, entry by entry (SKF-10.2).
    private mutating func noteErrors(_ settings: Node) {
        for entry in settings.member("_storeKitErrors")?.elements ?? []
        where entry.member("enabled")?.value.bool == true {
            let name = entry.member("name")?.value.string ?? "unnamed"
            findings.warn(
                entry.path, "The simulated error \(quoted(name)) is ignored.",
                remedy: "Make it happen with `perennial fault add KIND`.")
        }
    }
}
