import ArgumentParser
import FoundationEssentials
import Merchant

/// Runs a store and a merchant that are wired to each other.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Run a store and a merchant, wired to each other.",
        // Its options are those of `serve`, whose name the parser would show.
        usage: "perennial dev [<options>] [<file>]",
        discussion: """
            The store sends its notifications to the merchant, `perennial buy` sends the purchase \
            to it as the app would, and the merchant says who has access and why. Its time is the \
            store's: `perennial advance` returns when it has handled what was delivered.

            It prints an address to open: a customer's phone, the store and \
            the merchant on one page, with forms that move the clock.

              perennial dev Garden.storekit
              perennial buy com.example.garden.estate.monthly --account anna
              perennial merchant why anna
              perennial advance P2M
              perennial merchant status anna

            The ready file holds both: {"store":{…},"merchant":{"url","operatorToken",\
            "database","apps":[{"bundleId","appToken","serverToken","notificationUrls"}]}}.
            """)

    @Option(
        help: ArgumentHelp(
            "The merchant's port; 0 picks a free one. (default: 8090)",
            valueName: "n"),
        transform: Reading.number(0...65535))
    var merchantPort = 8090

    @Option(
        help: ArgumentHelp(
            "What the shop's buttons are painted with: six hexadecimal digits, such as 1d6b4f.",
            valueName: "colour"),
        transform: colour)
    var colour: AppLook.Colour?

    @Option(
        help: ArgumentHelp(
            "The picture before the app's name in the shop: PNG or SVG, at most "
                + "\(AppLook.Icon.sizeLimit / 1024) KiB.", valueName: "file"),
        completion: .file(extensions: ["png", "svg"]), transform: icon)
    var icon: AppLook.Icon?

    @OptionGroup var store: ServeCommand

    private static func colour(_ text: String) throws -> AppLook.Colour {
        guard let colour = AppLook.Colour(text) else {
            throw ValidationError(
                "'\(text)' is no colour: write six hexadecimal digits, such as 1d6b4f.")
        }
        return colour
    }

    private static func icon(_ path: String) throws -> AppLook.Icon {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("\(path) cannot be read: name a file with the app's icon.")
        }
        guard let icon = AppLook.Icon(Array(data)) else {
            throw ValidationError(
                "\(path) must be PNG or SVG of at most \(AppLook.Icon.sizeLimit) bytes: give a "
                    + "smaller one.")
        }
        return icon
    }

    func validate() throws {
        guard store.notify == nil else {
            throw ValidationError(
                "--notify goes with `perennial serve`: here the notifications go to the merchant.")
        }
    }

    func run() async throws {
        var plan = try store.completePlan()
        plan.merchantPort = merchantPort
        if colour != nil || icon != nil { plan.look = AppLook(colour: colour, icon: icon) }
        try await Serving.run(plan)
    }
}
