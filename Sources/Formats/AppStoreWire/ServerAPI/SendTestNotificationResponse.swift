/// Reply of Request a Test Notification (API-5.15).
public struct SendTestNotificationResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// Opaque; asks for the result.
    public var testNotificationToken: String

    /// Makes a reply.
    public init(testNotificationToken: String) {
        self.testNotificationToken = testNotificationToken
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("testNotificationToken", testNotificationToken)
        }
    }
}
