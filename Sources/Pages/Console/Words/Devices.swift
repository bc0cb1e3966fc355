/// What the pages of devices say.
extension ConsoleWords {
    enum Devices {
        static let title = "Devices"
        static let about =
            "Each device has a queue of its own: what was bought or renewed waits there until the "
            + "app has finished it."
        static let device = "Device"
        static let app = "App"
        static let registered = "Known since"
        static let signedIn = "Signed in"
        static let signIns = "Tokens that are good on it"
        static let waiting = "Waiting"
        static let yes = "yes"
        static let no = "no"
        static let none = "No device has signed in yet, or all were removed."
        static let queue = "What waits"
        static let product = "Product"
        static let since = "Bought or renewed"
        static let transaction = "Transaction"
        static let why = "Why"
        static let restored = "restored"
        static let nothing = "Nothing: the app has finished everything."
        static let receipt = "App receipt"
        static let thisPage = "This page"

        static func more(_ count: String) -> String { "\(count) more wait behind these." }

        static func title(of act: DeviceAct) -> String {
            switch act {
            case .wipe: "Wipe it"
            case .remove: "Remove it"
            }
        }

        static func about(_ act: DeviceAct) -> String {
            switch act {
            case .wipe:
                "As when everything on it is erased: it is signed out, and its queue begins anew "
                    + "with what no device has finished. A restore brings back what it had."
            case .remove: "It is signed out. Under its name a new device signs in."
            }
        }
    }
}
