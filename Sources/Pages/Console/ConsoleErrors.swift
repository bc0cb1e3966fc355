import HTMLPages

extension PageErrors {
    /// How the console tells errors.
    static let console = PageErrors(
        Words(
            title: { ConsoleWords.Errors.title($0) }, signIn: ConsoleWords.Errors.signIn,
            tooOften: ConsoleWords.Errors.tooOften, tooLarge: ConsoleWords.Errors.tooLarge,
            unknownPage: ConsoleWords.Errors.unknownPage, method: ConsoleWords.Errors.method,
            busy: ConsoleWords.Errors.busy, databaseIsAway: ConsoleWords.Errors.databaseIsAway,
            failed: { ConsoleWords.Errors.failed($0) },
            back: PageLink(ConsoleWords.Errors.toOverview, ConsolePath.overview),
            again: TryAgain(ConsoleWords.Errors.tryAgain, ConsoleWords.Errors.triesAgain)),
        in: frame)

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
