import HTMLPages
import HTTPSurface
import StoreHTTP

extension PageErrors {
    /// How customers' pages tell errors.
    static let account = ErrorsByLanguage { PageErrors.forCustomers($0) }

    /// The same in a reader's language. Who reads is not known here, but the browser says how.
    private static func forCustomers(_ locale: PageLocale) -> PageErrors {
        let words = AccountLanguages.words(for: locale.language)
        return PageErrors(
            Words(
                words, busy: words.busy, failed: words.failed,
                back: PageLink(words.toOverview, AccountPath.overview)),
            in: .account(nil, words, locale),
            reading: { error in
                if let error = error as? ErrorBody {
                    return (
                        status: error.status, message: words.reason(error.code) ?? words.failed
                    )
                }
                return (error as? Refusal).map {
                    (status: $0.status, message: words.reason($0.code) ?? words.failed)
                }
            })
    }
}

extension PageFrame {
    /// What stands around customers' pages, but for what only those see who are signed in.
    ///
    /// - Parameter call: nil where it is not known at which server it is.
    static func account(
        _ call: Call<StoreSite>?, _ words: any AccountWords, _ locale: PageLocale
    ) -> PageFrame {
        let isSandbox = call?.site.isSandbox
        return PageFrame(
            site: words.site, home: AccountPath.overview,
            assets: "\(Account.path)/assets/\(PageAssets.version)",
            environment: isSandbox == nil
                ? words.site : isSandbox == true ? "Sandbox" : "Production",
            environmentKind: isSandbox == nil
                ? "none" : isSandbox == true ? "sandbox" : "production",
            foot: words.foot, locale: locale)
    }
}
