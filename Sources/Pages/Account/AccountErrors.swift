import HTMLPages
import HTTPSurface
import StoreHTTP

extension PageErrors {
    /// How customers' pages tell errors. Nobody knows here who reads, so they are in English.
    static let account = PageErrors(
        Words(
            english, busy: english.busy, failed: english.failed,
            back: PageLink(english.toOverview, AccountPath.overview)),
        in: .account(nil, english, .english),
        reading: { error in
            if let error = error as? ErrorBody {
                return (
                    status: error.status, message: english.reason(error.code) ?? english.failed
                )
            }
            return (error as? Refusal).map {
                (status: $0.status, message: english.reason($0.code) ?? english.failed)
            }
        })

    private static let english = EnglishWords()
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
