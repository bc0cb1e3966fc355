import HTMLPages

extension PageErrors {
    /// How the merchant's console tells errors.
    static let merchant = PageErrors(
        Words(MerchantWords.Errors.self, overview: MerchantPath.overview), in: frame)

    private static var frame: PageFrame {
        var frame = PageFrame.merchant(.english)
        frame.nav = MerchantNavigation(at: nil).groups
        return frame
    }
}
