/// One message to a subscriber about a price, and when it goes out.
public struct PriceMessage: Hashable, Sendable {
    /// The ways to reach a subscriber.
    public enum Channel: String, Hashable, Sendable, CaseIterable {
        /// An e-mail.
        case mail
        /// The sheet, or system message, inside the app.
        case sheet
        /// A push notification.
        case push
    }

    /// What must hold for the message to be sent when its moment comes.
    public enum Condition: String, Hashable, Sendable, CaseIterable {
        /// It is sent in any case (ACC-3: the mail is never dropped).
        case always
        /// It is shown at the first launch of the app from that moment on (INC-5).
        case atFirstLaunch
        /// It is sent only if the sheet was neither seen nor acknowledged (INC-5, ACC-3).
        case unlessSheetWasSeen
        /// It is sent while there is no answer (ACC-1).
        case untilAnswered
    }

    /// The way it is sent.
    public let channel: Channel
    /// When it is sent, or from when the sheet may show.
    public let moment: Instant
    /// What must still hold at that moment.
    public let condition: Condition

    /// Restores a message.
    public init(channel: Channel, moment: Instant, condition: Condition) {
        self.channel = channel
        self.moment = moment
        self.condition = condition
    }

    /// Whether it is told of first: by moment, at one moment by channel.
    func comesBefore(_ other: PriceMessage) -> Bool {
        let order = Channel.allCases
        return (moment, order.firstIndex(of: channel) ?? 0)
            < (other.moment, order.firstIndex(of: other.channel) ?? 0)
    }

    /// Requests on some channels from a moment, a week apart on each, all before an end. A channel
    /// that was used lately waits until its week is over (ACC-1, ACC-12).
    static func requests(
        on channels: [Channel], from first: Instant, before end: Instant, every week: Span,
        lastSent: [Channel: Instant]
    ) -> [PriceMessage] {
        channels.flatMap { channel -> [PriceMessage] in
            let start = max(first, lastSent[channel].map { $0 + week } ?? first)
            return sequence(first: start) { $0 + week }.prefix { $0 < end }
                .map { PriceMessage(channel: channel, moment: $0, condition: .untilAnswered) }
        }.inOrder
    }
}

extension [PriceMessage] {
    /// The messages by moment; at one moment by channel, in the order mail, sheet, push.
    var inOrder: [PriceMessage] {
        sorted { $0.comesBefore($1) }
    }
}
