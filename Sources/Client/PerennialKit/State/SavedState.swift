import AppStoreWire

/// What a session keeps on the device, for each account that was ever signed in here.
struct SavedState: Sendable, Equatable {
    /// The account that is signed in, or was last.
    var account: String?
    var accounts: [String: AccountState] = [:]

    /// The state of whoever was last signed in.
    var current: AccountState {
        get { account.flatMap { accounts[$0] } ?? AccountState() }
        set { if let account { accounts[account] = newValue } }
    }
}

/// What is kept of one account.
struct AccountState: Sendable, Equatable {
    /// The secret of the sign-in; nil while nobody is.
    var token: String?
    /// How far updates were read; nil before the first.
    var cursor: String?
    /// Whether updates are read from the beginning, and the end was not reached yet.
    var isBeginning = true
    /// The number of the newest entry of the queue.
    var lastNumber: Int64 = 0
    /// What was delivered and is not finished, in the order of its coming.
    var queue: [QueuedTransaction] = []
    /// What the app finished, until the store was told and updates were read beyond it.
    var finishes: [FinishedTransaction] = []
    /// Purchases whose answer is awaited.
    var purchases: [AwaitedPurchase] = []
    /// What the store last answered, verified.
    var answers: [KeptEntry.List: [KeptEntry]] = [:]
}

/// A transaction that waits to be finished.
struct QueuedTransaction: Sendable, Equatable {
    /// Why it is in the queue.
    enum Kind: String, Sendable {
        case new, restored, changed
    }

    /// Ascends in the order of coming; a transaction that changed has a new one.
    var number: Int64
    let id: String
    let productID: String
    let jws: String
    /// What it says, but for the time of its signature.
    let fingerprint: String
    var kind: Kind
}

/// A transaction that the app finished.
struct FinishedTransaction: Sendable, Equatable {
    let id: String
    /// What it said then.
    let fingerprint: String
    /// Whether the store knows.
    var isTold = false
}

/// A purchase that was sent and not answered.
struct AwaitedPurchase: Sendable, Equatable {
    /// Makes the store find what it did when it is asked again.
    let key: String
    /// Where it was sent.
    let path: String
    /// What is bought; nil with a code, which only the store can read.
    let productID: String?
    /// What was sent, byte for byte: JSON.
    let body: String
    /// When it was first sent, by the session's clock: UNIX milliseconds.
    let begun: Int64
}

extension SavedState: WireEncodable {
    /// The version of the form.
    private static let version: Int64 = 1

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", SavedState.version)
            json.field("account", account)
            json.object("accounts") { json in
                for (name, state) in accounts.sorted(by: { $0.key < $1.key }) {
                    json.field(named: name, state)
                }
            }
        }
    }

    /// Reads what was written.
    ///
    /// - Throws: what is wrong, in words.
    init(_ bytes: [UInt8]) throws(Damage) {
        guard let json = try? JSONValue(parsing: bytes) else { throw Damage("it is not JSON") }
        guard json["version"]?.integer == SavedState.version else {
            throw Damage("it is of another version of this library")
        }
        account = json["account"]?.string
        for (name, state) in json["accounts"]?.object ?? [:] {
            accounts[name] = try AccountState(state)
        }
        if let account, accounts[account] == nil { throw Damage("its account is missing") }
    }

    /// What is wrong with a file.
    struct Damage: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

extension AccountState: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("token", token)
            json.field("cursor", cursor)
            if isBeginning { json.field("beginning", true) }
            json.field("lastNumber", lastNumber)
            json.field("queue", queue)
            json.field("finishes", finishes)
            json.field("purchases", purchases)
            json.object("answers") { json in
                for list in KeptEntry.List.allCases {
                    if let entries = answers[list] { json.field(named: list.rawValue, entries) }
                }
            }
        }
    }

    fileprivate init(_ json: JSONValue) throws(SavedState.Damage) {
        for list in KeptEntry.List.allCases {
            guard let kept = json["answers"]?[list.rawValue]?.array else { continue }
            var entries: [KeptEntry] = []
            for entry in kept { entries.append(try KeptEntry(entry)) }
            answers[list] = entries
        }
        token = json["token"]?.string
        cursor = json["cursor"]?.string
        isBeginning = json["beginning"]?.bool ?? false
        lastNumber = json["lastNumber"]?.integer ?? 0
        for entry in json["queue"]?.array ?? [] { queue.append(try QueuedTransaction(entry)) }
        for entry in json["finishes"]?.array ?? [] {
            finishes.append(
                FinishedTransaction(
                    id: try entry.kept("id"), fingerprint: try entry.kept("fingerprint"),
                    isTold: entry["told"]?.bool ?? false))
        }
        for entry in json["purchases"]?.array ?? [] {
            guard let begun = entry["begun"]?.integer else {
                throw SavedState.Damage("a purchase has no time")
            }
            purchases.append(
                AwaitedPurchase(
                    key: try entry.kept("key"), path: try entry.kept("path"),
                    productID: entry["productId"]?.string, body: try entry.kept("body"),
                    begun: begun))
        }
    }
}

extension QueuedTransaction: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("number", number)
            json.field("id", id)
            json.field("productId", productID)
            json.field("jws", jws)
            json.field("fingerprint", fingerprint)
            json.field("kind", kind.rawValue)
        }
    }

    fileprivate init(_ json: JSONValue) throws(SavedState.Damage) {
        guard let number = json["number"]?.integer,
            let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:))
        else { throw SavedState.Damage("a transaction has no number or kind") }
        self.number = number
        id = try json.kept("id")
        productID = try json.kept("productId")
        jws = try json.kept("jws")
        fingerprint = try json.kept("fingerprint")
        self.kind = kind
    }
}

extension FinishedTransaction: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("fingerprint", fingerprint)
            if isTold { json.field("told", true) }
        }
    }
}

extension AwaitedPurchase: WireEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("key", key)
            json.field("path", path)
            json.field("productId", productID)
            json.field("body", body)
            json.field("begun", begun)
        }
    }
}

extension JSONValue {
    fileprivate func kept(_ name: String) throws(SavedState.Damage) -> String {
        guard let text = self[name]?.string else {
            throw SavedState.Damage("an entry has no `\(name)`")
        }
        return text
    }
}
