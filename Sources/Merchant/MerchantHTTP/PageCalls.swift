package import HTTPSurface
package import Merchant

extension HTTPSurface.Call<MerchantSite> {
    /// The apps that the merchant serves, by name.
    package var bundleIDs: [String] { site.server.merchant.bundleIDs }

    /// How an app looks; nil where its configuration does not say.
    package func look(of bundleID: String) -> AppLook? { site.server.merchant.look(of: bundleID) }
}
