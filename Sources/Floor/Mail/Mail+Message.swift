import SubscriptionRules

extension Mail {
    /// The mail as a message (RFC 5322): what an `.eml` file holds and what a relay is given. Lines
    /// end with CR LF and have 78 characters at most where a word is not longer. Equal mails have
    /// equal bytes.
    package var message: [UInt8] {
        var lines = [
            HeaderLine.party("From", from), HeaderLine.party("To", to),
            HeaderLine.text("Subject", subject), "Date: \(Self.moment(date))",
            "Message-ID: <\(messageID)>",
        ]
        lines += fields.map { HeaderLine.folded($0.name, $0.value) }
        if let language { lines.append("Content-Language: \(language)") }
        lines.append("MIME-Version: 1.0")
        let plain = BodyPart("text/plain", text)
        if let html {
            lines.append("Content-Type: multipart/alternative;\r\n boundary=\"\(Self.boundary)\"")
            lines += ["", "--\(Self.boundary)"] + plain.lines
            // What is shown where it can be comes last.
            lines += ["--\(Self.boundary)"] + BodyPart("text/html", html).lines
            lines.append("--\(Self.boundary)--")
        } else {
            lines += plain.lines
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// Neither quoted-printable nor base64 writes `=_`, so it stands in no part.
    private static let boundary = "=_perennial_alternative"

    /// A moment as RFC 5322 section 3.3 writes it, in UTC.
    private static func moment(_ at: Instant) -> String {
        let (day, time) = BillingZone.utc.wallClock(at: at)
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let seconds = Int(time / 1000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(names[day.weekday]), \(day.day) \(months[day.month - 1]) \(day.year) "
            + "\(clock) +0000"
    }
}
