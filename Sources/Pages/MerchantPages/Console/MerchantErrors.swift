import HTMLPages

extension PageErrors {
    /// How the merchant's console tells errors.
    static let merchant = PageErrors(
        Words(
            title: { MerchantWords.Errors.title($0) }, signIn: MerchantWords.Errors.signIn,
            tooOften: MerchantWords.Errors.tooOften, tooLarge: MerchantWords.Errors.tooLarge,
            unknownPage: MerchantWords.Errors.unknownPage, method: MerchantWords.Errors.method,
            busy: MerchantWords.Errors.busy, databaseIsAway: MerchantWords.Errors.databaseIsAway,
            failed: { MerchantWords.Errors.failed($0) },
            back: PageLink(MerchantWords.Errors.toOverview, MerchantPath.overview),
            again: TryAgain(MerchantWords.Errors.tryAgain, MerchantWords.Errors.triesAgain)),
        in: frame)

    private static var frame: PageFrame {
        var frame = PageFrame.merchant(.english)
        frame.nav = MerchantNavigation(at: nil).groups
        return frame
    }
}
