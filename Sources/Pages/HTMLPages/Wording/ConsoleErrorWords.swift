/// What the pages of both consoles say of errors, in English. A console adds the sentences that
/// name its server.
package protocol ConsoleErrorWords: Sendable {
    /// Stands in for a reason that the server did not give.
    static var noReason: String { get }
    static var busy: String { get }
    static var databaseIsAway: String { get }
    /// The title of a page with status 503.
    static var away: String { get }
    /// Refuses a form that no page of the console sent.
    static var otherOrigin: String { get }
    static func failed(_ request: String) -> String
}

extension ConsoleErrorWords {
    package static var code: String { "Code" }
    package static var field: String { "Field" }
    package static var back: String { "Back" }
    package static var signIn: String { "Sign in first." }
    package static var tooOften: String { "There were too many requests: wait a moment." }
    package static var tooLarge: String { "What was sent is too long." }
    package static var unknownPage: String { "There is no such page." }
    package static var method: String { "This page cannot be asked like that." }
    package static var tryAgain: String { "Try again" }
    package static var triesAgain: String { "The page tries again every five seconds." }
    package static var toOverview: String { "To the overview" }

    package static func title(_ status: Int) -> String {
        switch status {
        case 400, 422: "That cannot be done like this"
        case 401: "Sign in"
        case 402: "The payment was declined"
        case 403: "Refused"
        case 404: "Not found"
        case 409: "Not possible now"
        case 413: "Too long"
        case 429: "Too often"
        case 503: away
        case 500...: "Something went wrong"
        default: "Not possible"
        }
    }
}
