import ArgumentParser

/// Which app is meant: of whatever names a product, an account or a subscription.
struct AppOption: ParsableArguments {
    @Option(help: ArgumentHelp("The app, where the store has several.", valueName: "id"))
    var bundleID: String?
}
