import PlacedYAML

/// How a merchant's campaigns reach customers: what the configuration says of the relay and of
/// Apple's push service. Whoever runs the merchant makes them of it.
public struct ChannelSettings: Hashable, Sendable {
    /// The relay for mails.
    public struct Mail: Hashable, Sendable {
        /// Whether a relay at `smtp://` must encrypt.
        public enum StartTLS: String, Hashable, Sendable, CaseIterable {
            case required
            case opportunistic
            case off
        }

        /// `smtp://host[:port]` or `smtps://host[:port]`.
        public let relay: String
        public let startTLS: StartTLS
        /// The path of a file of two lines, the user and the password.
        public let credentials: String?
        /// The path of the certificates (PEM) that are trusted instead of the machine's.
        public let authority: String?
    }

    /// Apple's push service.
    public struct Push: Hashable, Sendable {
        /// The path of the team's `.p8` file.
        public let key: String
        public let keyID: String
        public let teamID: String
        /// Servers in the place of Apple's, for tests.
        public let production: String?
        public let sandbox: String?
    }

    /// Nil where no mail can be sent.
    public internal(set) var mail: Mail?
    /// Nil where nothing can be pushed.
    public internal(set) var push: Push?
}

extension ChannelSettings {
    /// Reads `mail` and `push` of a configuration.
    static func read(_ members: inout Members, _ problems: inout Problems) -> ChannelSettings {
        var settings = ChannelSettings()
        if let place = members.take("mail", &problems) { settings.mail = mail(place, &problems) }
        if let place = members.take("push", &problems) { settings.push = push(place, &problems) }
        return settings
    }

    private static func mail(_ place: Place, _ problems: inout Problems) -> Mail? {
        guard var members = Members(place, &problems) else { return nil }
        let relay = members.need("relay", "write smtps://mail.example.com", &problems)
            .flatMap { url($0, ["smtp://", "smtps://"], &problems) }
        var startTLS = Mail.StartTLS.required
        if let place = members.take("startTLS", &problems) {
            let said: Mail.StartTLS? = place.choice(&problems)
            startTLS = said ?? startTLS
        }
        let credentials = path("credentials", &members, &problems)
        let authority = path("authority", &members, &problems)
        members.finish(&problems)
        guard let relay else { return nil }
        return Mail(
            relay: relay, startTLS: startTLS, credentials: credentials, authority: authority)
    }

    private static func push(_ place: Place, _ problems: inout Problems) -> Push? {
        guard var members = Members(place, &problems) else { return nil }
        let key = members.need("key", "name the team's .p8 file", &problems)?.text(&problems)
            .map { Paths.path($0, from: Paths.folder(of: place.file)) }
        let keyID = members.need("keyId", "write the key's identifier", &problems)?
            .text(&problems)
        let teamID = members.need("teamId", "write the team's identifier", &problems)?
            .text(&problems)
        let production = members.take("production", &problems)
            .flatMap { url($0, ["https://", "http://"], &problems) }
        let sandbox = members.take("sandbox", &problems)
            .flatMap { url($0, ["https://", "http://"], &problems) }
        members.finish(&problems)
        guard let key, let keyID, let teamID else { return nil }
        return Push(
            key: key, keyID: keyID, teamID: teamID, production: production, sandbox: sandbox)
    }

    private static func path(
        _ name: String, _ members: inout Members, _ problems: inout Problems
    ) -> String? {
        guard let place = members.take(name, &problems), let text = place.text(&problems) else {
            return nil
        }
        return Paths.path(text, from: Paths.folder(of: place.file))
    }

    private static func url(
        _ place: Place, _ schemes: [String], _ problems: inout Problems
    ) -> String? {
        guard let text = place.text(&problems) else { return nil }
        guard schemes.contains(where: { text.hasPrefix($0) }) else {
            // It may hold a password.
            problems.add(place, "must begin with \(schemes.joined(separator: " or ")).")
            return nil
        }
        return text
    }
}
