package import HTTPSurface
import Merchant

extension HTTPSurface.Call<MerchantSite> {
    /// The apps that the merchant serves, by name.
    package var bundleIDs: [String] { site.server.merchant.bundleIDs }
}
