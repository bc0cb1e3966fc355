extension MerchantWords {
    /// Beginning a campaign: its file, its rehearsal and the button.
    enum Beginning {
        static let title = "Begin a campaign"
        static let lead =
            "Paste the campaign's file. It is checked and planned first; you begin it on a page "
            + "of its own."
        static let file = "The campaign's file (YAML)"
        static let fileHint = "The same file as for `perennial campaign run FILE`."
        static let check = "Check the file"
        static let plan = "Check and plan"
        static let planAbout = "Planning sends no message and changes no price."
        static let nothing = "Paste the campaign's file."
        static let missing = "Paste what this file holds."
        static let wrong = "The file cannot be planned yet. Nothing was kept."
        static let incomplete =
            "The file names other files: paste each of them below. Nothing was kept."
        static let problems = "What is wrong"
        static let noProblem = "Nothing is wrong."
        static let line = "Line"
        static let member = "Member"
        static let problem = "Problem"

        static let nextSteps = "What comes next"
        static let change = "Change the file and plan again"
        static let rehearse = "Rehearse it"
        static let toBegin = "Begin the campaign…"
        static let toCampaign = "The campaign has begun: see how far it is"
        static let sample = "A sample"
        static let sampleAbout = "Subscribers of the plan drawn at random, ten at most."

        static let begin = "Begin the campaign"
        static let beginLead = "This is what was planned. Nothing has been sent yet."
        static let nameAgain = "The campaign's name"
        static let today = "Within a day"
        static let todayAbout = "What goes out within a day of the plan."
        static let mails = "Mails"
        static let sheets = "Price sheets"
        static let pushes = "Pushes"
        static let calls = "Calls to the store"

        static let rehearsalLead =
            "The campaign is played to its end on what the merchant knows, with answers that are "
            + "made up. Nothing is kept or sent, and no price is changed."
        static let rehearseAbout = "How many of 100 subscribers do this; the others never answer."
        static let agree = "Agree"
        static let decline = "Decline"
        static let cancel = "Turn renewal off"
        static let seed = "Seed"
        static let rehearsed = "Result"
        static let rehearsedAbout = "The same seed draws the same answers."

        static func attachment(_ name: String) -> String { "The file \(name)" }
        static func rehearsalOf(_ name: String) -> String { "Rehearsal of \(name)" }
        static func beginTitle(_ name: String) -> String { "Begin \(name)?" }
        static func nameHint(_ name: String) -> String { "Type \(name) to begin it." }

        static func beginAbout(isPrice: Bool) -> String {
            isPrice
                ? "From then on the merchant tells subscribers and calls the store by itself. "
                    + "What was sent and called cannot be taken back."
                : "The merchant extends renewal dates at once, which cannot be taken back."
        }

        static func hasBegun(_ name: String) -> String {
            "A campaign \(name) was started already: give the file another name."
        }

        static func otherName(_ name: String) -> String {
            "Nothing was begun: type \(name), the name of the campaign."
        }

        static func noShare(_ label: String) -> String {
            "\(label): write a whole number from 0 to 100."
        }
    }
}
