/// What the demonstration says.
enum DemoWords {
    static let site = "Perennial"
    static let title = "A customer, the store and the merchant"
    static let lead =
        "Buy something on the phone, move the clock, and see what the store keeps and what the "
        + "merchant answers."
    static let foot = "A simulation on your machine: nobody is charged for anything."
    static let demo = "Demonstration"
    static let openLead =
        "This opens the demonstration, and the store's console with it, in this browser."
    static let open = "Open the demonstration"
    static let usedLink =
        "This link was used before, or its hour is over. Restart `perennial dev` for a new one."
    static let needsLink = "Open the address that `perennial dev` printed when it started."

    static let phone = "The customer's phone"
    static let phoneAbout = "The merchant's shop, as an app shows it."
    static let toShop = "Shop"
    static let toAccount = "Account at the store"
    static let store = "The store"
    static let storeAbout = "What the store's console shows of this customer."
    static let merchant = "The merchant's answer"
    static let merchantAbout = "What the developer's server tells the app, and why."
    static let send = "Send the phone's purchases"
    static let sendAbout =
        "As an app does when it starts or restores purchases: the merchant learns whose they are."

    static let console = "The merchant's console"

    static let customer = "Customer"
    static let customerHint = "A new name begins a new account."
    static let choose = "Show this customer"
    static let day = "A day later"
    static let month = "A month later"
    static func clock(_ moment: String) -> String { "It is \(moment) UTC." }

    static let nothing = "The merchant knows of no purchase of this account."
    static let granted = "Access"
    static let refused = "No access"
    static let entitlement = "Unlocks"
    static let until = "Until"
    static let product = "Product"
    static let problem = "That did not work"
    static let back = "To the demonstration"
    static let unknownPage = "There is no such page."
    static let failed = "The store or the merchant could not do this."
    static let unusable = "An account has a name of 1 to 255 visible characters."
}
