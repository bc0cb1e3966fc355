import HTMLPages

extension PageErrors {
    /// How the console tells errors.
    static let console = PageErrors(
        Words(ConsoleWords.Errors.self, overview: ConsolePath.overview), in: frame)

    private static var frame: PageFrame {
        var frame = PageFrame(
            site: ConsoleWords.site, home: ConsolePath.overview,
            assets: "\(Console.path)/assets/\(PageAssets.version)",
            environment: ConsoleWords.console, environmentKind: "none", foot: ConsoleWords.foot,
            locale: .english)
        frame.navigate(at: nil)
        return frame
    }
}
