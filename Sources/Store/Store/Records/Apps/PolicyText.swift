import AppStoreWire
import Storage
import SubscriptionRules

/// An app's policies as the JSON text in which its row keeps them.
enum PolicyText {
    /// The text; nil where nothing is said.
    static func text(_ policies: AppPolicies) -> String? {
        guard !policies.isEmpty else { return nil }
        var json = JSONWriter()
        json.object { json in
            json.field("licenceAgreement", policies.licenceAgreement)
            json.array("privacyPolicies") { json in
                for policy in policies.privacyPolicies {
                    json.elementObject { json in
                        json.field("locale", policy.locale)
                        json.field("url", policy.url)
                        json.field("text", policy.text)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func policies(_ text: String) throws(StorageError) -> AppPolicies {
        let json = try StoredJSON(text)
        return AppPolicies(
            licenceAgreement: try json.string("licenceAgreement"),
            privacyPolicies: try json.objects("privacyPolicies").map { one throws(StorageError) in
                AppPolicies.PrivacyPolicy(
                    locale: try one.string("locale"), url: try one.string("url"),
                    text: try one.string("text"))
            })
    }
}
