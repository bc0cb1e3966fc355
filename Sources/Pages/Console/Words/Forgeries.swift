/// What the pages of forged proofs say.
extension ConsoleWords {
    enum Forgeries {
        static let title = "Forgeries"
        static let lead =
            "Proofs that are wrong on purpose, to try a verifier with. Some must be accepted: a "
            + "verifier that refuses everything is wrong too."
        static let about = "About"
        static let kind = "Kind"
        static let why = "What is wrong"
        static let mustBe = "A verifier must"
        static let refused = "refuse it"
        static let accepted = "accept it"
        static let code = "Our verifier's code"
        static let apple = "Apple's library for Python"
        static let difference = "Why Apple's library answers otherwise"
        static let lookAt = "A server has to look by itself."
        static let onlyIn = "Only in"
        static let none = "No such kinds."
        static let make = "Of which purchase"
        static let makeAbout =
            "The text is made of a real transaction. Nothing in the world changes, and nothing is "
            + "kept."
        static let app = "App"
        static let transaction = "Transaction"
        static let transactionHint = "Empty for the newest of a subscription"
        static let button = "Make it"
        static let text = "The text"
        static let textAbout = "As it would be received: copy it as it stands."
        static let first = "To be shown before"
        static let header = "Its header"
        static let payload = "What it says"
        static let all = "All at once"
        static let noApp = "There is no app yet."
        static let empty = "The text is empty, and that is what is wrong with it."

        static func tooLong(_ count: String) -> String {
            "It has \(count) characters, too many for a page: the API and the command line give it."
        }

        static let subjects: [(value: String, text: String)] = [
            ("transaction", "transactions"), ("renewal-info", "renewal information"),
            ("notification", "notifications"), ("app-transaction", "app transactions"),
            ("receipt", "receipts"), ("request-token", "request tokens"),
            ("in-app-request", "in-app requests"),
        ]
    }
}
