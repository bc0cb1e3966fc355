import ArgumentParser
import Mail
import MailSMTP
import Mails
import Store

extension RelaySettings.StartTLS: ExpressibleByArgument {}

/// How a store that is run writes to customers.
struct MailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The relay for customers' mails; without one, mails stay in the mailbox.",
            valueName: "url"))
    var smtpRelay: String?

    @Option(
        help: ArgumentHelp(
            "Whether a relay at smtp:// must encrypt: required, opportunistic or off. (default: "
                + "required)"))
    var smtpStartTLS = RelaySettings.StartTLS.required

    @Option(
        help: ArgumentHelp(
            "A file of two lines, the user and the password at the relay, that nobody else can "
                + "read.", valueName: "path"), completion: .file())
    var smtpCredentials: String?

    @Option(
        help: ArgumentHelp(
            "Trust these certificates (PEM) for the relay instead of the machine's.",
            valueName: "path"), completion: .file())
    var smtpAuthority: String?

    @Option(
        help: ArgumentHelp(
            "The sender's address of mails; required with a relay.", valueName: "address"))
    var mailFrom: String?

    @Option(
        help: ArgumentHelp(
            "The page on which customers manage their subscriptions; mails link to it.",
            valueName: "url"))
    var manageURL: String?

    /// Nobody's: what is only kept has to name a sender too.
    private static let usualSender = "store@perennial.invalid"

    func validate() throws {
        if smtpRelay != nil, mailFrom == nil {
            throw ValidationError("--smtp-relay needs --mail-from: in whose name mails are sent.")
        }
        guard smtpRelay != nil || (smtpCredentials == nil && smtpAuthority == nil) else {
            throw ValidationError("--smtp-credentials and --smtp-authority need --smtp-relay.")
        }
        if let manageURL, !MailWriter.isLink(manageURL) {
            throw ValidationError(
                "--manage-url is no address of a page: write one that begins with https://.")
        }
        _ = try sender()
        _ = try relay()
    }

    /// Who writes to customers.
    func mailroom() throws -> Mailroom {
        Mailroom(
            writer: MailWriter(), sender: try sender(), relay: try relay(), manageURL: manageURL)
    }

    private func sender() throws -> EmailAddress {
        let text = mailFrom ?? Self.usualSender
        guard let address = EmailAddress(text) else {
            throw ValidationError("'\(text)' is no address for mails: write \(EmailAddress.rule).")
        }
        return address
    }

    private func relay() throws -> SMTPRelay? {
        guard let smtpRelay else { return nil }
        guard let url = RelayURL(smtpRelay) else {
            // It may hold a password.
            throw ValidationError("This is no relay for mails: write \(RelayURL.rule).")
        }
        do throws(RelaySettingError) {
            return SMTPRelay(
                try RelaySettings(
                    url: url, startTLS: smtpStartTLS,
                    credentials: try smtpCredentials.map(RelayCredentials.init(file:)),
                    authorityFile: smtpAuthority))
        } catch {
            throw ValidationError("The relay cannot be used so: \(error).")
        }
    }
}
