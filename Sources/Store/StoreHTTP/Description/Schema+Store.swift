import AppStoreWire
import HTTPSurface
import Store
import SubscriptionRules

extension Schema {
    /// The identifier of an app.
    static func bundleID(_ about: String) -> Schema { text(about, 1...155, .bundleID) }

    /// A text that only machines read: a compact JWS signed by the store.
    static func signed(_ about: String) -> Schema {
        text("\(about), as a compact JWS signed by the store.")
    }
}
