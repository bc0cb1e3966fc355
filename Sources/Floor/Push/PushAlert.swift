import AppStoreWire

/// What a device shows, and how.
package struct PushAlert: Sendable, Hashable {
    package let title: String?
    package let body: String
    /// A file of the app, or `default`; nil for silence.
    package let sound: String?
    /// One of the categories that the app has declared: it brings buttons.
    package let category: String?
    /// Alerts of one thread are shown as a group.
    package let threadID: String?

    package init(
        title: String? = nil, body: String, sound: String? = nil, category: String? = nil,
        threadID: String? = nil
    ) {
        self.title = title
        self.body = body
        self.sound = sound
        self.category = category
        self.threadID = threadID
    }

    /// Writes the members of `aps`.
    func write(to aps: inout JSONWriter) {
        aps.object("alert") { alert in
            alert.field("title", title)
            alert.field("body", body)
        }
        aps.field("sound", sound)
        aps.field("category", category)
        aps.field("thread-id", threadID)
    }
}
