/// The shared secret of an app, as App Store Connect shows it: it proves a notification of version
/// 1, and opens `verifyReceipt`.
public struct AppSecret: Sendable {
    private let bytes: [UInt8]

    /// - Precondition: the text is not empty.
    public init(_ text: String) {
        precondition(!text.isEmpty, "an empty secret would prove everything")
        bytes = Array(text.utf8)
    }

    /// The secret itself, for whoever it is sent to.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a text is the secret. Takes the same time however much of it is right.
    public func matches(_ text: String) -> Bool {
        let given = Array(text.utf8)
        var difference = bytes.count ^ given.count
        for index in bytes.indices {
            difference |= Int(bytes[index] ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}

/// Loggers print values by reflection, and this one is a secret.
extension AppSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "AppSecret" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
