import Letters

/// What the pages of the mailbox say.
extension ConsoleWords {
    enum Mailbox {
        static let title = "Mailbox"
        static let lead =
            "What customers are told by mail, newest first, whether a relay took it or not."
        static let oneMail = "This mail"
        static let created = "Written"
        static let subject = "Subject"
        static let customer = "Customer"
        static let kind = "Kind"
        static let channel = "Told by"
        static let state = "State"
        static let attempts = "Attempts"
        static let outcome = "Outcome"
        static let reply = "What the relay said"
        static let address = "Address"
        static let noAddress = "none: the mail is only kept here"
        static let language = "Language"
        static let app = "App"
        static let subscription = "Subscription"
        static let why = "Why not"
        static let nextAttempt = "Next attempt"
        static let download = "Download as .eml"
        static let html = "As its reader sees it"
        static let htmlAbout =
            "Shut off from this page: nothing in it runs, nothing is fetched, and its links lead "
            + "nowhere from here."
        static let text = "As plain text"
        static let links = "Where its links lead"
        static let linksAbout = "They are not followed from here."
        static let headers = "Header of the message"
        static let headersAbout = "As the relay is given it; the whole message is the download."
        static let ofSubscription = "Mails about it"
        static func none(_ reason: String?) -> String {
            switch reason {
            case "mailsOff": "No mails: no app sends any. It is one of an app's settings."
            case "sandboxMailsOff":
                "No mails: no app sends any in Sandbox. It is one of an app's settings."
            case "noAddress":
                "No mails: there is no address to send to. It is one of a customer's settings."
            case "nothingDue":
                "No mails: nothing was due. Customers get mails when they buy, when a payment "
                    + "fails and when a price rises."
            default: "No mails match these conditions."
            }
        }

        static var kinds: [(value: String, text: String)] {
            [("", any)] + MailKind.allCases.map { ($0.rawValue, happening($0.rawValue)) }
        }
        static var states: [(value: String, text: String)] {
            [("", any)]
                + ["waiting", "kept", "delivered", "refused", "givenUp", "dropped"]
                .map { ($0, state($0)) }
        }
        static func state(_ state: String) -> String {
            switch state {
            case "waiting": "waiting"
            case "kept": "kept here"
            case "delivered": "delivered"
            case "refused": "refused"
            case "givenUp": "given up"
            case "dropped": "dropped"
            default: happening(state)
            }
        }
        static func next(_ moment: String) -> String { "handed over \(moment)" }
        static func aboutSubscription(_ id: String) -> String {
            "Those about the subscription \(id), newest first."
        }
        static func noAttempts(_ state: String) -> String {
            switch state {
            case "waiting": "It has not been handed over yet."
            case "kept": "There was nobody to hand it to: it is only kept here."
            default: "It was never handed over."
            }
        }
    }
}
