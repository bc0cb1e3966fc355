extension MerchantWords {
    /// Price campaigns, from the plan to the report.
    enum Campaigns {
        static let title = "Campaigns"
        static let lead = "Price increases, from their plans to their reports."
        static let started = "Started"
        static let noneStarted = "No price campaign was started yet."
        static let plans = "Plans"
        static let plansAbout = "What campaigns would do. Of each campaign the newest plan is kept."
        static let noPlan = "Nothing was planned yet."
        static let name = "Campaign"
        static let app = "App"
        static let kind = "Kind"
        static let state = "State"
        static let startedAt = "Started"
        static let moved = "Last changed"
        static let problem = "Problem"
        static let plannedAt = "Planned"
        static let audience = "Audience"
        static let moves = "What can be done"
        static let texts = "What it says in each language"
        static let textsLead = "As the first of those whom it reaches would read it."
        static let noTexts = "It says nothing itself."
        static let everyLanguage = "every other language"
        static let from = "From"
        static let subject = "Title"
        static let opens = "Opens"
        static let plan = "Plan"
        static let planAbout = "What was planned, with the prices of that moment."
        static let planLead = "A plan only looks: no message is sent and no price changed."
        static let allSubscribers = "Everybody in the plan"
        static let decisions = "Decisions"
        static let decision = "Decision"
        static let reason = "Reason"
        static let count = "Subscribers"
        static let days = "Days given"
        static let money = "Revenue of one period"
        static let noMoney = "There is no price yet."
        static let currency = "Currency"
        static let subscribers = "Subscribers"
        static let oldPrice = "Old price"
        static let newPrice = "New price"
        static let now = "Now"
        static let stake = "Change in a year"
        static let unreachable = "Not reachable"
        static let warnings = "Warnings"
        static let renewal = "First renewal"
        static let report = "Report"
        static let reportAbout = "Each number opens to the subscribers that it counts."
        static let outageReport = "The report of the outage"
        static let outcomes = "Outcomes"
        static let outcome = "Outcome"
        static let cohorts = "By cohort"
        static let cohort = "Cohort"
        static let product = "Product"
        static let group = "Group"
        static let control = "left out"
        static let reached = "reached"
        static let before = "Before"
        static let after = "After"
        static let renewing = "Renewing"
        static let messages = "Messages"
        static let channel = "Channel"
        static let occasion = "Occasion"
        static let due = "Due"
        static let sent = "Sent"
        static let said = "Text"
        static let calls = "Calls to the store"
        static let none = "None."
        static let nobody = "Nobody."
        static let subscription = "Original transaction"
        static let account = "Account"

        static func planOf(_ name: String) -> String { "Plan of \(name)" }
        static func nobodyOf(_ title: String) -> String { "\(title): nobody." }

        static func textOf(_ channel: String, _ language: String) -> String {
            switch channel {
            case "mail": "Mail, \(language)"
            case "sheet": "Price sheet, \(language)"
            case "push": "Push, \(language)"
            default: "\(channel), \(language)"
            }
        }

        static func move(_ move: String) -> String {
            switch move {
            case "pause": "Pause the campaign"
            case "resume": "Resume the campaign"
            default: "Stop the campaign"
            }
        }

        static func moveTitle(_ move: String, _ name: String) -> String {
            switch move {
            case "pause": "Pause \(name)?"
            case "resume": "Resume \(name)?"
            default: "Stop \(name)?"
            }
        }

        static func moveLead(_ move: String) -> String {
            switch move {
            case "pause": "No message is sent and no price changed until it is resumed."
            case "resume":
                "What has come due meanwhile is sent, and calls to the store go on, at once."
            default:
                "What still waits is dropped. Messages that were sent and prices that were changed "
                    + "stay. A stopped campaign cannot be resumed."
            }
        }

        static func notFrom(_ state: String) -> String {
            "The campaign is \(state): that is not possible from there."
        }
    }

    /// Outages.
    enum Outages {
        static let title = "Outages"
        static let lead = "Campaigns that give customers days for an outage."
        static let none = "No outage campaign was started yet."
        static let app = "App"
        static let started = "Started"
        static let problem = "Problem"
        static let audience = "Audience"
        static let retried = "Extended after a retry"
        static let next = "Next due"
        static let manage = "Pause, resume or stop it"
        static let outcomes = "Outcomes"
        static let outcomesAbout = "Each number opens to the subscriptions that it counts."
        static let outcome = "Outcome"
        static let reason = "Reason"
        static let count = "Subscriptions"
        static let nobody = "Nobody."
        static let calls = "Calls for all subscribers of a product"
        static let noCalls = "There was none."
        static let product = "Product"
        static let accepted = "Accepted"
        static let completed = "Completed"
        static let succeeded = "Extended"
        static let failed = "Failed"
        static let request = "Request"
        static let mails = "Mails"
        static let noMails = "It sends none."
        static let state = "State"
        static let subscribers = "Subscriptions"
        static let subscription = "Original transaction"
        static let account = "Account"
        static let days = "Days"
        static let endBefore = "End before"
        static let end = "End now"
        static let mail = "Mail"
    }

    /// What an app earns.
    enum Figures {
        static let title = "Figures"
        static let lead = "From the newest signed state of each transaction."
        static let app = "App"
        static let environment = "Environment"
        static let days = "Days"
        static let active = "Active subscriptions"
        static let trials = "Of these in a free trial"
        static let asOf = "Now"
        static let revenue = "Revenue by day"
        static let revenueAbout =
            "By the day of the purchase, in UTC. Each day opens to its transactions."
        static let day = "Day"
        static let currency = "Currency"
        static let count = "Transactions"
        static let amount = "Revenue"
        static let refunded = "Refunded since"
        static let noDays = "Nothing was bought in these days."
        static let noApp = "The merchant serves no app."
        static let transactions = "Transactions"
        static let transaction = "Transaction"
        static let subscription = "Original transaction"
        static let account = "Account"
        static let product = "Product"
        static let bought = "Bought"
        static let expires = "Ends"
        static let price = "Price"
        static let revoked = "Refunded or revoked"
        static let none = "None."
        static let environments: [(value: String, text: String)] = [
            ("Production", "Production"), ("Sandbox", "Sandbox"),
        ]
        static func drawing(_ currency: String) -> String { "Revenue by day in \(currency)" }
        static func highest(_ amount: String) -> String { "The highest day is \(amount)." }
        static func of(_ day: String) -> String { "Transactions of \(day)" }
    }
}
