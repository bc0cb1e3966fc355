/// What the page of a subscription says of its next bill, of what is going to change, and of
/// requests.
extension ConsoleWords {
    enum Outlook {
        static let billTitle = "Next bill"
        static let billAbout =
            "As things are: nobody answers what is asked until then, and nothing else is changed."
        static let changesTitle = "What is going to change"
        static let changesAbout = "Each with the day from which on it holds."
        static let noChanges = "Nothing, as things are."
        static let requestsTitle = "Requests"
        static let requestsAbout =
            "What was asked for in Advanced Commerce, on devices and by servers, first to last. "
            + "What was refused changed nothing and is not listed."
        static let noRequests = "None was made."
        static let itemKey = "item delivered"
        static let charged = "Charged"
        static let ends = "Ends"
        static let made = "Made"
        static let sum = "Sum"
        static let forPeriod = "For"
        static let month = "Month of the commitment"
        static let givenBack = "Given back"
        static let bill = "Bill"
        static let line = "Line"
        static let price = "Price"
        static let amount = "To pay"
        static func moreLines(_ count: Int) -> String {
            "and \(count) more: the API and the command line list all"
        }
        static let noLines = "Nothing is to be paid."
        static let change = "Change"
        static let from = "From"
        static let notPlanned = "not planned yet"
        static let standing = "How far it has come"
        static let when = "When"
        static let operation = "Request"
        static let did = "What it did"
        static let money = "Money"
        static let outcome = "Outcome"
        static let onDevice = "on a device"
        static let byServer = "by a server"
        static let nothing = "nothing"

        static func why(_ intent: Int64?) -> String {
            switch intent {
            case 1: "renewal is off"
            case 2: "it could not be charged"
            case 3: "a price is not agreed to"
            case 4: "the product is not for sale"
            default: "for another reason"
            }
        }
        static func purpose(_ purpose: String) -> String {
            switch purpose {
            case "renewal": "it renews"
            case "recovery": "the failed renewal is tried again"
            case "purchase": "a purchase waits for the bank"
            case "planChange", "planChangeInTrial": "a change of plan waits for the bank"
            case "modification": "a change of items waits for the bank"
            default: purpose
            }
        }
        static func offer(_ mode: String, left: Int64?) -> String {
            let after = left.map { $0 == 0 ? ", the last period" : ", \($0) more follow" } ?? ""
            return Subscription.offer(mode) + after
        }
        static func before(_ amount: String) -> String { "\(amount) until then" }
        static func announced(_ moment: String) -> String { "announced \(moment)" }
        static func dependents(_ skus: [String]) -> String {
            "with it end \(skus.joined(separator: ", "))"
        }
        static func monthOf(_ month: Int64) -> String { "\(month) of 12" }
        static func more(_ count: Int) -> String { "and \(count) more" }
        static func paid(_ amount: String) -> String { "\(amount) charged" }
        static func refunded(_ amount: String) -> String { "\(amount) given back" }
    }
}
