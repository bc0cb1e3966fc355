import HTMLPages
import HTTPSurface

extension PageErrors {
    /// How the shop tells errors. Nobody knows here who reads, so they are in English.
    static let shop = PageErrors(
        Words(
            english, busy: english.busy, failed: english.failed,
            back: PageLink(english.toShop, ShopPath.content)),
        in: .shop(nil, english, .english),
        reading: { error in
            if let error = error as? ErrorBody {
                let message =
                    error.code == "otherOrigin" ? english.otherOrigin : english.failed
                return (status: error.status, message: message)
            }
            return (error as? MerchantRefusal).map {
                (status: $0.status, message: english.failed)
            }
        })

    private static let english = EnglishShop()
}
