import AppStoreWire

/// What a device shows, and how.
package struct PushAlert: Sendable, Hashable {
    /// Words, or the name of words that the app has in every language.
    package enum Text: Sendable, Hashable {
        case plain(String)
        /// A key of the app's strings, so that the device chooses the language, and the words that
        /// take the place of the string's placeholders.
        case localised(key: String, arguments: [String] = [])

        var isEmpty: Bool {
            switch self {
            case .plain(let text): text.isEmpty
            case .localised(let key, _): key.isEmpty
            }
        }
    }

    package let title: Text?
    package let body: Text
    /// A file of the app, or `default`; nil for silence.
    package let sound: String?
    /// One of the categories that the app has declared: it brings buttons.
    package let category: String?
    /// Alerts of one thread are shown as a group.
    package let threadID: String?

    package init(
        title: Text? = nil, body: Text, sound: String? = nil, category: String? = nil,
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
            switch title {
            case .plain(let text)?: alert.field("title", text)
            case .localised(let key, let arguments)?:
                alert.field("title-loc-key", key)
                if !arguments.isEmpty { alert.field("title-loc-args", arguments) }
            case nil: break
            }
            switch body {
            case .plain(let text): alert.field("body", text)
            case .localised(let key, let arguments):
                alert.field("loc-key", key)
                if !arguments.isEmpty { alert.field("loc-args", arguments) }
            }
        }
        aps.field("sound", sound)
        aps.field("category", category)
        aps.field("thread-id", threadID)
    }
}
