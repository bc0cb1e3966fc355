import CCurl
import Dispatch
package import Mail

/// Hands mails over by SMTP, with libcurl: a connection a mail.
package struct SMTPRelay: MailRelay {
    private let settings: RelaySettings
    /// libcurl blocks, and the threads that tasks share are few.
    private let queue = DispatchQueue(label: "perennial.mail", attributes: .concurrent)

    private static let library: CURLcode = curl_start()

    package init(_ settings: RelaySettings) {
        self.settings = settings
        precondition(Self.library == CURLE_OK, "libcurl cannot be started")
    }

    package func send(
        _ message: [UInt8], from sender: EmailAddress, to recipient: EmailAddress
    ) async -> RelayOutcome {
        let conversation = SMTPConversation(message)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: carry(conversation, from: sender, to: recipient))
                }
            }
        } onCancel: {
            conversation.stop()
        }
    }

    private func carry(
        _ conversation: SMTPConversation, from sender: EmailAddress, to recipient: EmailAddress
    ) -> RelayOutcome {
        guard let handle = curl_easy_init() else { return .postponed(.other("out of memory")) }
        let recipients = curl_slist_append(nil, "<\(recipient.text)>")
        // Taking leave is told too.
        defer {
            withExtendedLifetime(conversation) { curl_easy_cleanup(handle) }
            curl_slist_free_all(recipients)
        }
        prepare(handle)
        set(handle, CURLOPT_MAIL_FROM, "<\(sender.text)>")
        expect(curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients))
        conversation.listen(on: handle)
        return conversation.outcome(of: curl_easy_perform(handle))
    }

    /// All that is the same for every mail.
    private func prepare(_ handle: UnsafeMutableRawPointer) {
        set(handle, CURLOPT_URL, settings.url.text)
        // Signals would hit the whole process, and the environment's proxies are for the web.
        set(handle, CURLOPT_NOSIGNAL, 1)
        set(handle, CURLOPT_PROXY, "")
        set(handle, CURLOPT_UPLOAD, 1)
        // A connection that is kept is taken leave of later, where nobody listens or hurries.
        set(handle, CURLOPT_FORBID_REUSE, 1)
        set(handle, CURLOPT_CONNECTTIMEOUT_MS, settings.connecting.milliseconds)
        set(handle, CURLOPT_TIMEOUT_MS, settings.inAll.milliseconds)
        set(handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(handle, CURLOPT_SSL_VERIFYPEER, 1)
        set(handle, CURLOPT_SSL_VERIFYHOST, 2)
        let encryption =
            switch settings.startTLS {
            case _ where settings.url.isEncrypted: CURLUSESSL_ALL
            case .required: CURLUSESSL_ALL
            case .opportunistic: CURLUSESSL_TRY
            case .off: CURLUSESSL_NONE
            }
        set(handle, CURLOPT_USE_SSL, Int(encryption.rawValue))
        if let file = settings.authorityFile { set(handle, CURLOPT_CAINFO, file) }
        if let credentials = settings.credentials {
            set(handle, CURLOPT_USERNAME, credentials.user)
            set(handle, CURLOPT_PASSWORD, credentials.password)
        }
    }

    private func set(_ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ value: String) {
        expect(curl_set_text(handle, option, value))
    }

    private func set(_ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ value: Int) {
        expect(curl_set_number(handle, option, value))
    }

    private func expect(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl \(code.rawValue) does not know what it was told")
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
