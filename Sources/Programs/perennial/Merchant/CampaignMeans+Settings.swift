import FoundationEssentials
import Mail
import MailSMTP
import Merchant
import MerchantConfiguration
import Push

extension CampaignMeans {
    /// Reads campaigns as their files stand, with the files that were sent along.
    private static let reader: Reader = { file, attachments in
        try CampaignFile.read(file, named: "file", attachments: attachments).definition
    }

    /// By what a configuration says.
    ///
    /// - Throws: `Failure` where a relay or a key cannot be used.
    init(_ settings: ChannelSettings) throws {
        self.init(
            read: Self.reader, mail: try settings.mail.map { try Self.relay($0) },
            push: try settings.push.map { try Self.services($0) } ?? [:])
    }

    /// For a merchant beside a store of which nobody is a true customer: mails are files in a
    /// folder, and pushes are taken and kept with the campaign alone.
    init(keptIn folder: String) {
        self.init(
            read: Self.reader, mail: FileRelay(folder: folder),
            push: [.production: KeptPushes(), .sandbox: KeptPushes()])
    }

    /// For a rehearsal: every message is taken, kept with the campaign alone and sent to nobody.
    static let rehearsing = CampaignMeans(
        read: reader, mail: KeptMails(),
        push: [.production: KeptPushes(), .sandbox: KeptPushes()])

    private static func relay(_ settings: ChannelSettings.Mail) throws -> any MailRelay {
        guard let url = RelayURL(settings.relay) else {
            throw Failure.refused("`mail.relay` is none: write \(RelayURL.rule).")
        }
        let startTLS = RelaySettings.StartTLS(rawValue: settings.startTLS.rawValue) ?? .required
        do throws(RelaySettingError) {
            let credentials = try settings.credentials.map {
                path throws(RelaySettingError) in try RelayCredentials(file: path)
            }
            return SMTPRelay(
                try RelaySettings(
                    url: url, startTLS: startTLS, credentials: credentials,
                    authorityFile: settings.authority))
        } catch {
            throw Failure.refused("`mail` cannot be used: \(error).")
        }
    }

    private static func services(
        _ settings: ChannelSettings.Push
    ) throws -> [PushToken.Environment: any PushService] {
        guard let data = FileManager.default.contents(atPath: settings.key),
            let text = String(validating: data, as: UTF8.self)
        else { throw Failure.refused("`push.key` names \(settings.key), which cannot be read.") }
        let key: APNsKey
        do throws(APNsKeyError) {
            key = try APNsKey(
                keyID: settings.keyID, teamID: settings.teamID, privateKeyPEM: text)
        } catch {
            throw Failure.refused("`push` cannot be used: \(error).")
        }
        let tokens = ProviderTokens(key)
        return [
            .production: try client(settings.production, .production, tokens),
            .sandbox: try client(settings.sandbox, .sandbox, tokens),
        ]
    }

    private static func client(
        _ url: String?, _ usual: APNsServer, _ tokens: ProviderTokens
    ) throws -> any PushService {
        var server = usual
        if let url {
            guard let named = APNsServer(url) else {
                throw Failure.refused(
                    "`push` names a server that is none: write \(APNsServer.rule).")
            }
            server = named
        }
        do throws(APNsSettingError) {
            return APNsClient(try APNsSettings(server: server), tokens)
        } catch {
            throw Failure.refused("`push` cannot be used: \(error).")
        }
    }
}

/// Writes mails into a folder: the same mail is the same file, however often it is sent.
private struct FileRelay: MailRelay {
    let folder: String

    func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(message).write(to: URL(filePath: "\(folder)/\(Self.name(of: message)).eml"))
            return .delivered(RelayReply(code: 250, text: "kept"))
        } catch {
            return .postponed(.other("\(error)"))
        }
    }

    /// The part of the Message-ID before the at sign.
    private static func name(of message: [UInt8]) -> String {
        let text = String(decoding: message, as: UTF8.self)
        let parts = text.split(separator: "Message-ID: <", maxSplits: 1)
        let name = parts.count == 2 ? parts[1].prefix { $0 != "@" } : "mail"
        return name.filter { $0.isHexDigit || $0 == "-" }
    }
}

/// Takes every mail: the campaign keeps its words.
private struct KeptMails: MailRelay {
    func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome { .delivered(RelayReply(code: 250, text: "kept")) }
}

/// Takes every push: a device that a store plays has no service that would show it.
private struct KeptPushes: PushService {
    func send(_ push: Push) async -> PushOutcome { .sent(apnsID: push.id) }
}
