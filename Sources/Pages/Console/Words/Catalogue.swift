/// What the pages of catalogue, extensions, refunds, faults and the world say.
extension ConsoleWords {
    enum Catalogue {
        static let title = "Catalogue and prices"
        static let settings = "App settings"
        static let product = "Product"
        static let kind = "Kind"
        static let price = "Price"
        static let group = "Group"
        static let period = "Period"
        static let sale = "On sale"
        static let forSale = "for sale"
        static let offSale = "not for sale"
        static let nothing = "The catalogue is empty: `perennial serve FILE.storekit` brings one."
        static let changes = "Scheduled prices"
        static let storefront = "Storefront"
        static let storefrontHint = "Three letters, such as USA"
        static let start = "Goes live"
        static let state = "State"
        static let subscribers = "Subscribers"
        static let noChanges = "No price was scheduled yet: open a product to do so."
        static let prices = "Prices"
        static let pricesAbout =
            "In the app's own storefront, wherever a price was set, and wherever it is off sale. "
            + "Everywhere else the same number is charged in the local currency."
        static let cohorts = "Who pays what"
        static let cohortsAbout = "Subscribers by the price that they pay for a period."
        static let pays = "They pay"
        static let moving = "On their way to a higher price"
        static let listPrice = "New purchases"
        static let nobodyPays = "Nobody subscribes to it."
        static let schedule = "Schedule a price"
        static let scheduleAbout =
            "A lower price is charged to everybody. For a higher one say what present subscribers "
            + "pay; who must agree and who is only told is decided for each of them."
        static let priceHint = "Such as 14.99"
        static let startHint = "A moment such as 2027-01-01T00:00:00Z; empty for at once"
        static let existing = "Present subscribers"
        static let existingChoices: [(value: String, text: String)] = [
            ("none", "the price does not rise"), ("apply", "pay the new price"),
            ("preserve", "keep the old price"),
        ]
        static let wrongPrice = "The price is no number such as 14.99."
        static let increaseTitle = "Price increase explained"
        static let oldPrice = "Old price"
        static let newPrice = "New price"
        static let live = "Live since"
        static let firstCharged = "First charged"
        static let answerBy = "Answer by"
        static let withoutAnswer = "Without an answer"
        static let reasons = "Why"
        static let reason = "Test"
        static let demandsConsent = "Demands consent"
        static let messages = "What the subscriber is told"
        static let channel = "By"
        static let condition = "If"
        static let noMessages = "Nothing."
        static let yes = "yes"
        static let no = "no"

        static func level(_ level: Int) -> String { "level \(level)" }
        static func offers(_ count: Int) -> String {
            count == 1 ? "1 offer" : "\(count) offers"
        }
        static func path(_ path: String) -> String {
            path == "consent"
                ? "The subscriber must agree, or the subscription ends."
                : "The subscriber is told, and need not do anything."
        }
    }

    enum Extensions {
        static let title = "Extensions for all"
        static let order = "Extend all subscriptions of a product"
        static let orderAbout =
            "As compensation for an outage. First you see whom it concerns; it is then carried out "
            + "in the background, one subscriber after the other."
        static let see = "See whom it concerns"
        static let product = "Product"
        static let days = "Days"
        static let reason = "Reason"
        static let ordered = "Ordered"
        static let finished = "Finished"
        static let candidates = "Subscribers"
        static let succeeded = "Extended"
        static let failed = "Not extended"
        static let state = "State"
        static let complete = "complete"
        static let runningState = "running"
        static let running = "Subscriptions are being extended"
        static let none = "No extension was ordered yet."
        static let refusedSome =
            "Some of them may be left out: in billing retry or grace, in a free offer, or extended "
            + "twice within a year already. The result says who and why."
        static let begin = "Extend them all"
        static let dont = "Extend nobody"
        static let failures = "Who was left out, and why"
        static let customer = "Customer"
        static let why = "Why"
        static let again = "Again"
        static let tryAgain = "Try this one"
        static let noFailures = "Nobody."
        static let identifier = "requestIdentifier"

        static func newTitle(_ days: String, _ product: String) -> String {
            days == "1" ? "1 day for all of \(product)" : "\(days) days for all of \(product)"
        }
        static func reached(_ done: String, of all: String) -> String { "\(done) of \(all)" }
    }

    enum Refunds {
        static let title = "Refunds and bills"
        static let requests = "Requests for refunds"
        static let requestsAbout =
            "Decided by the app's policy, or here. A refund without a request begins on the page "
            + "of the subscription."
        static let number = "Number"
        static let customer = "Customer"
        static let product = "Product"
        static let amount = "Amount"
        static let reason = "Reason"
        static let state = "State"
        static let noRequests = "Nobody has asked for a refund."
        static let decide = "Decide"
        static let decisions: [(value: String, text: String)] = [
            ("decline", "decline"), ("grant", "grant"),
        ]
        static let bills = "Bills without an answer"
        static let billsAbout =
            "What the bank has not answered yet. You may answer in its place."
        static let made = "Made"
        static let answers = "Answered by itself"
        static let noBills = "Every bill has been answered."
        static let answer = "Answer"
        static let bankAnswers: [(value: String, text: String)] = [
            ("paid", "paid"), ("declined", "declined"),
        ]

        static func decides(_ moment: String) -> String { "decided by \(moment)" }
        static func decision(_ id: String) -> String { "Request \(id)" }
        static func bankSays(_ id: String) -> String { "The bank says of bill \(id)" }
    }

    enum Faults {
        static let title = "Faults"
        static let lead = "Rules by which the outside goes wrong on purpose."
        static let rule = "Rule"
        static let applies = "Applied"
        static let of = "Could have been"
        static let state = "State"
        static let spent = "spent"
        static let on = "on"
        static let none = "Nothing goes wrong on purpose."
        static let remove = "Switch one off"
        static let removeButton = "Switch off"
        static let clear = "Switch all off"
        static let add = "Add a rule"
        static let kind = "What goes wrong"
        static let percent = "Of a hundred"
        static let count = "At most so often"
        static let by = "By how long"
        static let byHint = "Such as PT5M, where it is about time"
        static let errorCode = "Error code"
        static let errorCodeHint = "Such as 5000001, where calls fail"
        static let kinds: [(value: String, text: String)] = [
            ("dropNotifications", "notifications are dropped"),
            ("loseNotifications", "notifications are lost"),
            ("repeatNotifications", "notifications come twice"),
            ("delayNotifications", "notifications come late"),
            ("reorderNotifications", "notifications come out of order"),
            ("failCalls", "calls fail"), ("limitCalls", "calls are limited"),
            ("slowCalls", "calls are slow"),
        ]
        static func sentence(_ kind: String, percent: Int?, times: Int?) -> String {
            let what = kinds.first { $0.value == kind }?.text ?? kind
            let share = percent.map { $0 == 100 ? "" : ", \($0) of a hundred" } ?? ""
            let most = times.map { $0 == 1 ? ", once" : ", \($0) times" } ?? ""
            return what + share + most
        }
    }

    enum World {
        static let title = "World"
        static let apps = "Apps"
        static let name = "Name"
        static let bundle = "Bundle identifier"
        static let setting = "Setting"
        static let value = "Value"
        static let processes = "Processes"
        static let process = "Process"
        static let version = "Version"
        static let started = "Started"
        static let seen = "Heard of"
        static let noProcesses = "Nobody says that it serves this world."
        static let snapshots = "Snapshots"
        static let snapshotsAbout = "Copies of the whole world to come back to, by name."
        static let at = "As of"
        static let size = "Size"
        static let noSnapshots = "No snapshot yet."
        static let take = "Take a snapshot"
        static let nameHint = "Lower-case letters, digits and hyphens"
        static let rewind = "Go back to a snapshot"
        static let rewindAbout =
            "Everything since then is as if it had never been, in both environments."
        static let forks = "Forks"
        static let forksAbout =
            "Copies that are served beside this world, with a clock of their own and deliveries "
            + "off."
        static let address = "Address"
        static let noForks = "No fork yet."
        static let fork = "Make a fork"
        static let deliveries = "Deliveries"
        static let turnOn = "Post notifications"
        static let turnOff = "Keep notifications in the log"
        static let on = "on"
        static let off = "off"
    }
}
