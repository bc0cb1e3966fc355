package import HTTPSurface
package import Hummingbird

/// The page before an operator's session, and what its form does.
package struct OperatorDoor: Sendable {
    /// What it says.
    package struct Words: Sendable {
        let title: String
        let lead: String
        let linkLead: String
        let open: String
        let button: String
        let token: String
        let tokenHint: String
        let wrongToken: String
        let usedCode: String

        /// - Parameters:
        ///   - lead: above the field for the token.
        ///   - linkLead: above the button, where a link brought a code.
        ///   - open: what that button is called.
        ///   - usedCode: where a link does not open anything any more.
        package init(
            title: String, lead: String, linkLead: String, open: String, button: String,
            token: String, tokenHint: String, wrongToken: String, usedCode: String
        ) {
            self.title = title
            self.lead = lead
            self.linkLead = linkLead
            self.open = open
            self.button = button
            self.token = token
            self.tokenHint = tokenHint
            self.wrongToken = wrongToken
            self.usedCode = usedCode
        }
    }

    /// What comes of a try to sign in.
    package enum Outcome: Sendable {
        /// A session has begun: the browser goes on.
        case isOpen(Response)
        /// The page again, with what was wrong.
        case staysShut(Page)
    }

    private let access: OperatorAccess
    /// The first page behind it.
    private let root: String
    private let words: Words

    /// - Parameter root: the path of the first page behind it, below which `sign-in` is.
    package init(_ access: OperatorAccess, root: String, words: Words) {
        self.access = access
        self.root = root
        self.words = words
    }

    /// Asks for the operator's token, or for a push of the button where a link brought a code.
    /// Reading it changes nothing: what looks at links before people do must not use them up.
    package func page<Site>(_ call: Call<Site>) -> Page {
        let query = call.query
        return page(code: query.values("code").first, to: query.values("to").first, problem: nil)
    }

    /// Takes what the form sent.
    package func signIn<Site>(_ call: Call<Site>) async throws -> Outcome {
        let form = try await FormInput(call)
        let (token, code) = (form.text("token"), form.text("code"))
        guard let cookie = access.signIn(call, token: token, code: token == nil ? code : nil)
        else {
            let problem = code == nil || token != nil ? words.wrongToken : words.usedCode
            return .staysShut(page(code: nil, to: form.text("to"), problem: problem))
        }
        let target = form.text("to").flatMap { OwnPath.of($0, below: root) } ?? root
        return .isOpen(.seeOther(target, cookie: cookie))
    }

    /// - Parameters:
    ///   - code: what a link brought.
    ///   - to: where to go afterwards.
    ///   - problem: why the last try failed.
    private func page(code: String?, to: String?, problem: String?) -> Page {
        var hidden: [PageForm.Hidden] = []
        if let to = to.flatMap({ OwnPath.of($0, below: root) }) { hidden.append(.init("to", to)) }
        var blocks: [any PageBlock] = []
        if let problem { blocks.append(Notice(.bad, problem, id: "problem")) }
        if let code, code.utf8.count <= 200 {
            blocks += [
                Prose(words.linkLead),
                PageForm(
                    .change, action: "\(root)/sign-in", button: words.open,
                    hidden: hidden + [.init("code", code)]),
            ]
        } else {
            blocks += [
                Prose(words.lead),
                PageForm(
                    .change, action: "\(root)/sign-in", button: words.button, hidden: hidden,
                    fields: [
                        Field(
                            "token", words.token, .password, in: "sign-in", hint: words.tokenHint,
                            isRequired: true)
                    ]),
            ]
        }
        return Page(words.title, status: problem == nil ? .ok : .unprocessableContent, blocks)
    }
}
