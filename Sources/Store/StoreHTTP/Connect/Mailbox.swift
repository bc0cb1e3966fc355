import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Letters
import NIOCore
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the mails are given out.
    private static let mailPages = Paging(
        "mails", "Newest first.", of: .named("Mail"), .before,
        .integer("The id of the last one of the page before."))

    /// What customers were told by mail, by pushes and in the app.
    static let listMails = Endpoint.operatorOnly(
        .get, "/connect/v1/mailbox", "listMails",
        OperationDescription(
            .theOperator, "List the mails of this environment",
            detail: "Newest first, without their texts: every mail that was written, whether a "
                + "relay took it or not, and what is shown on devices: pushes, which nobody "
                + "delivers, and messages in the app.",
            parameters: [
                .query("account", .text("Only those to this account.", 1...256)),
                .query(
                    "kind", .choice("Only those of this kind.", MailKind.allCases.map(\.rawValue))),
                .query(
                    "originalTransactionId", .identifier("Only those about this subscription.")),
                .query("state", .choice("Only those that stand so.", mailStates)),
                .query(
                    "channel",
                    .choice(
                        "Only those that come this way.", LetterChannel.allCases.map(\.rawValue))),
                .query("since", .moment("Only those from this moment on.")),
            ] + mailPages.parameters,
            success: mailPages.success(
                "A page of mails.", "Mails.",
                [
                    .optional(
                        "emptyBecause",
                        .choice(
                            "Why the list is empty. filtered: the conditions leave out all mails; "
                                + "mailsOff: no app sends mails; sandboxMailsOff: no app sends "
                                + "them in Sandbox; noAddress: the customer has no mail address, "
                                + "or no customer has one; nothingDue: nothing was due.",
                            EmptyMailbox.allCases.map(\.rawValue)))
                ]),
            failures: [.init(.notFound, "unknownAccount")])
    ) { call, input in
        let account = input.parameter("account")?.string
        let kind = input.parameter("kind")?.string.flatMap(MailKind.init(rawValue:))
        let channel = input.parameter("channel")?.string.flatMap(LetterChannel.init(rawValue:))
        let since = input.momentParameter("since")
        var emptyBecause: EmptyMailbox?
        return try await mailPages.page(
            input, others: { $0.field("emptyBecause", emptyBecause?.rawValue) }
        ) { before, limit in
            let mails = try await call.store.mailbox(
                of: account, about: input.cursor("originalTransactionId"), kind: kind,
                channel: channel, state: input.parameter("state")?.string, since: since,
                in: call.environment,
                before: before, limit: limit)
            if mails.isEmpty, before == nil {
                emptyBecause = try await call.store.whyMailboxIsEmpty(
                    of: account, in: call.environment)
            }
            return mails
        } writing: { entry, json in
            json.elementObject { entry.write(to: &$0, inFull: false) }
        }
    }

    /// One mail with its texts.
    static let getMail = Endpoint.operatorOnly(
        .get, "/connect/v1/mailbox/{id}", "getMail",
        OperationDescription(
            .theOperator, "Get a mail", detail: "As text and as HTML, as its reader has it.",
            parameters: [mailParameter], success: .ok("The mail.", .named("Mail")),
            failures: [.init(.notFound, "unknownMail")])
    ) { call, _ in
        let entry = try await call.store.mail(try mailID(call), in: call.environment)
        return .object { entry.write(to: &$0, inFull: true) }
    }

    /// One mail as the file that mail programs open.
    static let getMailMessage = Endpoint.operatorOnly(
        .get, "/connect/v1/mailbox/{id}/message.eml", "getMailMessage",
        OperationDescription(
            .theOperator, "Download a mail",
            detail: "The message (RFC 5322) byte for byte, as a relay is given it.",
            parameters: [mailParameter],
            success: .ok("The message.", .text("Its fields and its parts."), as: "message/rfc822"),
            failures: [.init(.notFound, "unknownMail")])
    ) { call, _ in
        let id = try mailID(call)
        let message = try await call.store.mailMessage(id, in: call.environment)
        return Response(
            status: .ok,
            headers: [
                .contentType: "message/rfc822",
                .contentDisposition: "attachment; filename=\"mail-\(id).eml\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: message)))
    }

    private static let mailParameter = OperationDescription.Parameter.path(
        "id", .identifier("The mail."))

    private static func mailID(_ call: Call) throws -> Int64 {
        try call.pathIdentifier("id", of: .mail)
    }

    /// How a mail can stand.
    private static let mailStates = [
        "waiting", "kept", "delivered", "refused", "givenUp", "dropped",
    ]

    static let mailSchema = Schema.object(
        "A mail to a customer, or what is shown on a device.",
        .required("id", .identifier("Its number.")),
        .required("bundleId", .text("The app in whose name it was written.")),
        .required("account", .text("To whom.")),
        .optional("originalTransactionId", .identifier("The subscription that it is about.")),
        .required("kind", .choice("What it tells.", MailKind.allCases.map(\.rawValue))),
        .required(
            "channel",
            .choice(
                "mail; push: a push on the customer's devices, which is kept here; inApp: shown in "
                    + "the app.", LetterChannel.allCases.map(\.rawValue))),
        .required("created", .moment("When it came to be told.")),
        .optional("to", .text("The address; absent where it is only kept here.")),
        .required("messageId", .text("Its Message-ID, the same in every attempt.")),
        .required("subject", .text("In the reader's language.")),
        .required("language", .text("That language, such as de.")),
        .optional("text", .text("As plain text; not in lists.")),
        .optional("html", .text("As HTML; not in lists.")),
        .required(
            "state",
            .choice(
                "kept: it is for the operator to read; delivered: the relay took it; refused: the "
                    + "relay refused it for good; givenUp: it was tried for days; dropped: what it "
                    + "says was not true any more.",
                mailStates)),
        .optional("seen", .moment("When the customer saw it in the app.")),
        .optional("reason", .text("Why it was dropped.")),
        .optional("nextAttempt", .moment("When it is handed over, or tried again.")),
        .required(
            "attempts",
            .list(
                "The attempts at the relay.",
                of: .object(
                    "An attempt.", .required("at", .moment("When.")),
                    .required(
                        "outcome",
                        .text("DELIVERED, REFUSED, POSTPONED, or UNKNOWN: no answer came.")),
                    .optional("reply", .text("What the relay said, or why there was none."))))))
}

extension MailboxEntry {
    fileprivate func write(to json: inout JSONWriter, inFull: Bool) {
        json.field("id", String(id))
        json.field("bundleId", bundleID)
        json.field("account", account)
        json.field("originalTransactionId", subscription.map { String($0) })
        json.field("kind", kind.rawValue)
        json.field("channel", channel.rawValue)
        json.field("created", created.iso8601)
        json.field("to", recipient)
        json.field("messageId", messageID)
        json.field("subject", written.subject)
        json.field("language", written.language)
        if inFull {
            json.field("text", written.text)
            json.field("html", written.html)
        }
        json.field("state", state)
        json.field("seen", seen?.iso8601)
        json.field("reason", reason)
        json.field("nextAttempt", nextAttempt?.iso8601)
        json.array("attempts") { json in
            for attempt in attempts {
                json.elementObject { json in
                    json.field("at", attempt.at.iso8601)
                    json.field("outcome", attempt.outcome)
                    json.field("reply", attempt.reply)
                }
            }
        }
    }
}
