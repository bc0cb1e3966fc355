import HTMLPages
import HTTPSurface

extension PageErrors {
    /// How the demonstration tells errors.
    static let demo = PageErrors(
        Words(
            title: { _ in DemoWords.problem }, signIn: DemoWords.needsLink,
            tooOften: DemoWords.failed, tooLarge: DemoWords.failed,
            unknownPage: DemoWords.unknownPage, method: DemoWords.unknownPage,
            busy: DemoWords.failed, databaseIsAway: DemoWords.failed,
            failed: { _ in DemoWords.failed }, back: PageLink(DemoWords.back, "/")),
        in: .demo(.english),
        reading: { error in
            if let error = error as? ErrorBody {
                return (status: error.status, message: error.message)
            }
            return (error as? MerchantRefusal).map {
                (status: $0.status, message: $0.message)
            }
        })
}

extension PageFrame {
    /// What stands around the demonstration.
    static func demo(_ locale: PageLocale) -> PageFrame {
        PageFrame(
            site: DemoWords.site, home: "/", assets: "/demo/assets/\(PageAssets.version)",
            environment: DemoWords.demo, environmentKind: "none", foot: DemoWords.foot,
            locale: locale)
    }
}
