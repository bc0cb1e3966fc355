import AppStoreWire
import SubscriptionRules

extension CatalogueReader {
    /// Reads `appPolicies`: the licence agreement, and the privacy policy by language (SKF-9).
    /// Nothing is sold by them, so that what cannot be read of them is left out. Xcode writes
    /// entries of empty texts for none.
    mutating func readPolicies(_ root: Node) -> AppPolicies {
        guard let node = root.member("appPolicies") else { return AppPolicies() }
        var policies = AppPolicies(licenceAgreement: readPolicyText("eula", of: node))
        var locales: Set<String> = []
        for entry in node.member("policies")?.elements ?? []
        where ["policyURL", "policyText"].contains(where: { isFilled($0, of: entry) }) {
            guard entry.member("locale").map({ $0.value.string != nil }) ?? true else {
                leaveOut(entry.path(of: "locale"), "The locale is no text")
                continue
            }
            let locale = readLocale("locale", of: entry) ?? locale ?? "en_US"
            guard isNew(locale, among: &locales, at: entry) else { continue }
            let policy = AppPolicies.PrivacyPolicy(
                locale: locale, url: readWebAddress("policyURL", of: entry),
                text: readPolicyText("policyText", of: entry))
            guard !policy.url.isEmpty || !policy.text.isEmpty else { continue }
            policies.privacyPolicies.append(policy)
        }
        return policies
    }

    private func isFilled(_ key: String, of entry: Node) -> Bool {
        entry.member(key).map { $0.value != .string("") } ?? false
    }

    private mutating func leaveOut(_ path: String, _ problem: String) {
        findings.warn(path, "\(problem); ignored.", remedy: "Type the policy anew in Xcode.")
    }

    private mutating func readPolicyText(_ key: String, of entry: Node) -> String {
        guard isFilled(key, of: entry) else { return "" }
        guard let text = entry.member(key)?.value.string, CatalogueText.policy.allows(text) else {
            leaveOut(
                entry.path(of: key), "A policy is a text of \(CatalogueText.policy.rule)")
            return ""
        }
        return text
    }

    /// An address that mails and pages may link.
    private mutating func readWebAddress(_ key: String, of entry: Node) -> String {
        guard isFilled(key, of: entry) else { return "" }
        guard let text = entry.member(key)?.value.string, AppPolicies.isWebAddress(text) else {
            leaveOut(
                entry.path(of: key), "A policy's address is a web page's, such as https://a.example"
            )
            return ""
        }
        return text
    }

    /// Counts a product that has a picture, in the `Assets` of a folder: nothing here shows it.
    mutating func noteImage(of node: Node) {
        guard node.member("promotionalImageID")?.value.string?.isEmpty == false else { return }
        imageCount += 1
    }
}
