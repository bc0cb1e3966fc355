/// What the page of an app receipt says.
extension ConsoleWords {
    enum Receipts {
        static let title = "App receipt"
        static let lead =
            "What the app on this device sends to its server, and the server to verifyReceipt: "
            + "made of the purchases as they are now, and signed."
        static let link = "what is in it"
        static let sealedFor = "Sealed for the device"
        static let size = "Size"
        static let signature = "Signed with"
        static let attributes = "What it says of the app"
        static let number = "Number"
        static let name = "Name"
        static let value = "Value"
        static let transactions = "What was bought"
        static let transactionsAbout =
            "Consumables leave a receipt once the app has finished them."
        static let transaction = "Transaction"
        static let product = "Product"
        static let purchased = "Bought or renewed"
        static let expires = "Until"
        static let cancelled = "Cancelled"
        static let nothing = "Nothing was bought in this app."
        static let certificates = "Certificates that come along"
        static let subject = "Of"
        static let issuer = "Issued by"
        static let until = "Good until"
        static let text = "The receipt"
        static let textAbout = "In Base64, as it is sent to verifyReceipt as receipt-data."

        static func bytes(_ count: String) -> String { "\(count) bytes" }

        static func more(_ count: String) -> String {
            "The newest are here; \(count) more are in it."
        }

        static func tooLong(_ count: String) -> String {
            "It has \(count) characters, too many for a page: the API and the command line give it."
        }
    }
}
