import HTMLPages
import HTTPSurface

extension PageErrors {
    /// How the shop tells errors.
    static let shop = ErrorsByLanguage { PageErrors.forShoppers($0) }

    /// The same in a reader's language (SHP-8). Who reads is not known here, but the browser says
    /// how.
    private static func forShoppers(_ locale: PageLocale) -> PageErrors {
        let words = ShopLanguages.words(for: locale.language)
        return PageErrors(
            Words(
                words, busy: words.busy, failed: words.failed,
                back: PageLink(words.toShop, ShopPath.content)),
            in: .shop(nil, words, locale),
            reading: { error in
                if let error = error as? ErrorBody {
                    let message =
                        error.code == "otherOrigin" ? words.otherOrigin : words.failed
                    return (status: error.status, message: message)
                }
                return (error as? MerchantRefusal).map {
                    (status: $0.status, message: words.failed)
                }
            })
    }
}
