package import AppStoreWire
package import SubscriptionRules

/// A push to one device, checked: APNs can refuse it for the device or for us, and not for its
/// form. Equal pushes have equal bytes.
package struct Push: Sendable, Equatable {
    /// What a push is for; it decides the push type.
    package enum Content: Sendable, Hashable {
        case alert(PushAlert)
        /// Wakes the app, and shows nothing.
        case background

        /// The push type: what `apns-push-type` says.
        package var type: String {
            switch self {
            case .alert: "alert"
            case .background: "background"
            }
        }
    }

    /// How much the device may do for it.
    package enum Priority: Int, Sendable, CaseIterable {
        case immediate = 10
        /// When it costs the device little power.
        case powerAware = 5
        case lowest = 1
    }

    /// A UUID in lower case: `apns-id`. Derive it from what the push says, so that a second attempt
    /// has the same one and a duplicate can be seen.
    package let id: String
    package let device: DeviceToken
    /// The app's bundle id.
    package let topic: String
    package let content: Content
    /// Takes the place of the alert with the same identifier that a device shows already.
    package let collapseID: String?
    /// Until when APNs keeps the push for a device that is away, at most 30 days; nil: not at all.
    package let expires: Instant?
    package let priority: Priority
    /// The JSON that the device gets. APNs and others on the way can read it: name no customer.
    package let payload: [UInt8]

    /// The most bytes of a payload.
    package static let longestPayload = 4096
    /// The most bytes of a collapse identifier.
    package static let longestCollapseID = 64

    /// Throws `PushError` for what APNs would not take.
    ///
    /// - Parameters:
    ///   - members: the app's own members, beside `aps`, such as a deep link.
    ///   - priority: nil for `immediate`, and for `powerAware` in the background.
    package init(
        id: String, to device: DeviceToken, topic: String, _ content: Content,
        members: [String: JSONValue] = [:], collapseID: String? = nil, expires: Instant? = nil,
        priority: Priority? = nil
    ) throws(PushError) {
        self.id = id
        self.device = device
        self.topic = topic
        self.content = content
        self.collapseID = collapseID
        self.expires = expires
        self.priority = priority ?? (content == .background ? .powerAware : .immediate)
        payload = Self.payload(content, members)
        guard Self.isUUID(id) else { throw .id }
        guard (1...255).contains(topic.utf8.count), topic.utf8.allSatisfy(\.isVisible) else {
            throw .topic
        }
        if case .alert(let alert) = content {
            guard !alert.body.isEmpty, alert.title.map({ !$0.isEmpty }) ?? true else {
                throw .emptyText
            }
        }
        guard members["aps"] == nil else { throw .reservedMember }
        if let collapseID {
            guard (1...Self.longestCollapseID).contains(collapseID.utf8.count),
                collapseID.utf8.allSatisfy(\.isVisible)
            else { throw .collapseID }
        }
        // In seconds 0 would mean that it is not kept.
        guard expires.map({ $0.milliseconds >= 1000 }) ?? true else { throw .expiration }
        guard payload.count <= Self.longestPayload else { throw .tooLarge(bytes: payload.count) }
    }

    private static func payload(_ content: Content, _ members: [String: JSONValue]) -> [UInt8] {
        var json = JSONWriter(capacity: longestPayload)
        json.object { json in
            json.object("aps") { aps in
                switch content {
                case .alert(let alert): alert.write(to: &aps)
                case .background: aps.field("content-available", Int64(1))
                }
            }
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                json.field(named: name, value)
            }
        }
        return json.bytes
    }

    /// Whether a text is a UUID in lower case.
    private static func isUUID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy(\.isHexadecimal) } && text == text.lowercased()
    }
}

/// What cannot be said in a push.
package enum PushError: Error, Hashable {
    /// An identifier that is no UUID in lower case.
    case id
    /// A topic that is empty, too long, or not ASCII without spaces.
    case topic
    /// An alert whose body or title is empty.
    case emptyText
    /// A member called `aps`, which is APNs's own.
    case reservedMember
    /// A collapse identifier that is empty, longer than 64 bytes, or not ASCII without spaces.
    case collapseID
    /// An expiration before 1970.
    case expiration
    /// A payload of more than 4096 bytes.
    case tooLarge(bytes: Int)
}

extension UInt8 {
    /// A character of ASCII that is seen: a field of HTTP can hold it anywhere.
    fileprivate var isVisible: Bool { (0x21...0x7E).contains(self) }
}
