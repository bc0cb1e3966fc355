import Timeline

/// What the pages of catalogue, extensions, refunds, faults and the world say.
extension ConsoleWords {
    enum Catalogue {
        static let reached = "Subscribers reached"
        static let newListPrice = "New purchases then"
        static let willPay = "They will pay"
        static let firstFrom = "First charged"
        static let whoMoves =
            "Who will pay another price, in both environments, as if it went live now"
        static let nobodyMoves = "Nobody who subscribes now will pay another price."
        static let atOnce = "at once"
        static func inSandbox(_ count: String) -> String { "\(count) of them in Sandbox" }
        static let title = "Catalogue and prices"
        static let settings = "App settings"
        static let explainAnyone = "What a new price would mean"
        static let product = "Product"
        static let kind = "Kind"
        static let price = "Price"
        static let group = "Group"
        static let period = "Period"
        static let sale = "On sale"
        static let forSale = "for sale"
        static let offSale = "not for sale"
        static let deleted = "deleted"
        static let deletedAt = "Deleted"
        static let deletedAbout =
            "Whoever bought it keeps what was paid for. Its identifier never comes back."
        static let offSaleIn = "Not in"
        static let saleAbout =
            "Subscribers of what is off sale are served to the end of the paid period and end "
            + "there. In Sandbox it counts only where the app's settings say so."
        static let saleStorefront = "Only in a storefront"
        static let saleHint = "Three letters, such as USA; empty for everywhere"
        static let saleChoices: [(value: String, text: String)] = [
            ("off", "take off sale"), ("on", "put on sale"),
        ]
        static let setSale = "Set where it is for sale"
        static let delete = "Delete this product for ever"
        static let deleteAbout =
            "Histories, refunds and running periods stay as they are; nobody buys or renews it "
            + "again."
        static let nothing = "The catalogue is empty: perennial serve FILE.storekit brings one."
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
        static let moving = "Increase pending"
        static let listPrice = "New purchases"
        static let nobodyPays = "Nobody subscribes to it."
        static let schedule = "Schedule a price"
        static let scheduleAbout =
            "A lower price is charged to everybody. For a higher one say what present subscribers "
            + "pay; who must agree and who is only told is decided for each of them."
        static let priceHint = "Such as 14.99"
        static let startHint = "Such as 2027-01-01, or 2027-01-01 09:00; empty for at once"
        static let existing = "Present subscribers"
        static let existingChoices: [(value: String, text: String)] = [
            ("none", "choose, where the price rises"), ("apply", "pay the new price"),
            ("preserve", "keep the old price"),
        ]
        static let wrongPrice = "The price is no number such as 14.99."
        static let increaseTitle = "Price increase explained"
        static let oldPrice = "Old price"
        static let newPrice = "New price"
        static let live = "Goes live"
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

        static func withdraw(_ price: String, _ storefront: String) -> String {
            "Withdraw \(price) in \(storefront)"
        }
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
        static let completeButSome = "complete, some not extended"
        static let runningState = "running"
        static let running = "Subscriptions are being extended"
        static let none = "No extension was ordered yet."
        static let wouldSucceed = "Would be extended"
        static let wouldFail = "Would be left out"
        static let onlyFirst = "the first ones alone: there are more"
        static let wouldFailWhy = "Who would be left out, and why"
        static let nobodyLeftOut = "Nobody would be left out."
        static let wrongDays = "Days: write a whole number from 1 to 90."
        static let nobodyToExtend = "Nobody subscribes to it now."
        static let begin = "Extend them all"
        static let dont = "Extend nobody"
        static let failures = "Who was left out, and why"
        static let customer = "Customer"
        static let why = "Why"
        static let again = "Again"
        static let tryAgain = "Try this one"
        static let tryAll = "Try all again"
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
        static let noRequests =
            "Nobody has asked for a refund. A customer does so on a device: "
            + "perennial refunds request."
        static let decide = "Decide"
        static let decisions: [(value: String, text: String)] = [
            ("decline", "decline"), ("grant", "grant"),
        ]
        static let bills = "Bills without an answer"
        static let billsAbout =
            "What the bank has not answered yet. You may answer in its place."
        static let made = "Made"
        static let answers = "Answered by itself"
        static let noBills =
            "Every bill has been answered. A customer whose payments are answered later leaves "
            + "bills here: perennial pay ACCOUNT later."
        static let answer = "Answer"
        static let bankAnswers: [(value: String, text: String)] = [
            ("paid", "paid"), ("declined", "declined"),
        ]

        static func decides(_ moment: String) -> String { "decided by \(moment)" }
        static func given(_ amount: String) -> String { "refunded: \(amount)" }
        static func decision(_ id: String) -> String { "Request \(id)" }
        static func bankSays(_ id: String) -> String { "The bank says of bill \(id)" }
    }

    enum Faults {
        static let title = "Faults"
        static let lead = "Deliberate failures of notifications and of calls."
        static let rule = "Rule"
        static let applies = "Applied"
        static let of = "Opportunities"
        static let state = "State"
        static let spent = "spent"
        static let on = "on"
        static let none = "Nothing goes wrong on purpose."
        static let rulesNow = "Rules now"
        static let rulesThen = "Rules then"
        static let remove = "Switch one off"
        static let removeButton = "Switch off"
        static let clear = "Switch all off"
        static let add = "Add a rule"
        static let kind = "What goes wrong"
        static let percent = "Per cent"
        static let percentHint = "How many of a hundred; empty for all"
        static let count = "At most"
        static let countHint = "How many times; empty for no limit"
        static let kindHint =
            "A dropped one fails and is tried again; a lost one counts as delivered"
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

    enum Increase {
        static let title = "What a new price would mean"
        static let lead =
            "For a subscriber whom you describe: who is asked and who is only told, why, and when. "
            + "Nothing is changed."
        static let explain = "Explain"
        static let oldPrice = "Pays now"
        static let oldPriceHint = "Such as 9.99"
        static let newPrice = "Would pay"
        static let newPriceHint = "Such as 14.99"
        static let renews = "Renews next"
        static let live = "New price goes live"
        static let momentHint = "Such as 2027-04-15, or 2027-04-15 09:00"
        static let since = "Subscribed since"
        static let sinceHint = "Decides the day of later renewals; may be empty"
        static let lastIncrease = "Last increase charged"
        static let lastIncreaseHint = "May be empty"
        static let route = "Who tells subscribers"
    }

    enum World {
        static let title = "World"
        static let apps = "Apps"
        static let name = "Name"
        static let bundle = "Bundle identifier"
        static let app = "App"
        static let appsAbout = "Grace period, refunds, where notifications go: each app's settings."
        static let notificationURL = "Notifications go to"
        static let nowhere = "nowhere"
        static let noApps = "No app yet: perennial app add makes one."
        static let processes = "Processes"
        static let process = "Process"
        static let version = "Version"
        static let started = "Started (machine's time)"
        static let seen = "Heard of (machine's time)"
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
            "Everything since then is as if it had never been, in both environments. It cannot be "
            + "taken back: take a snapshot of now before, if you want to return."
        static let rewindLook = "See what is lost"
        static let removeSnapshot = "Remove a snapshot"
        static let removeFork = "Remove a fork"
        static let copiesNow = "There are now"
        static let copiesThen = "Left then"
        static let largest = "The largest has"
        static let frees = "Frees"
        static let snapshotAhead =
            "The snapshot has both environments as they are now. The world goes on meanwhile."
        static let forkAhead =
            "The fork has both environments as they are now, a clock of its own and deliveries "
            + "off. Nothing that happens in it changes this world."
        static let remove = "Remove"
        static let leaveIt = "Stay here"
        static func rewindLead(from: String, to: String) -> String {
            "The clock shows \(from) UTC and would show \(to) UTC again."
        }
        static func rewindTitle(_ name: String) -> String { "Go back to \(name)" }
        static func bytes(_ size: String) -> String { "\(size) bytes" }
        static let forks = "Forks"
        static let forksAbout =
            "Copies that are served beside this world, with a clock of their own and deliveries "
            + "off."
        static let address = "Address"
        static let noForks = "No fork yet."
        static let fork = "Make a fork"
        static let deliveries = "Deliveries"
        static let turnOn = "Deliver notifications"
        static let turnOff = "Pause deliveries"
        static let deliveriesNow = "Now"
        static let deliveriesThen = "Will be"
        static let on = "on"
        static let off = "off"
    }

    enum Apps {
        static let settings = "Settings"
        static let about = "About the app"
        static let settingsAbout = "What is set holds for everything that happens from now on."
        static let save = "Save the settings"
        static let settingsToChange = "Settings to change"
        static let aSetting = "Setting"
        static let setNow = "Now"
        static let willBe = "Will be"
        static let nothing = "empty"
        static let appleID = "App Store number"
        static let products = "Products"
        static let proceedsThisYear = "Proceeds this year"
        static let yes = "yes"
        static let no = "no"
        static func limit(_ amount: String) -> String { "the program's limit is \(amount)" }
        /// `notificationUrl` is "Notification URL".
        static func setting(_ name: String) -> String {
            let words = happening(name).replacing(" url", with: " URL")
            return words.prefix(1).uppercased() + words.dropFirst()
        }
        /// `SIXTEEN_DAYS` is "sixteen days", and `endsTrial` "ends trial".
        static func choice(_ value: String) -> String {
            value.contains { $0.isLowercase }
                ? happening(value) : Timeline.Words.spelledOut(value)
        }
    }
}
