package import HTTPSurface
package import HTTPTypes
package import Hummingbird
import SubscriptionRules

/// How pages tell errors that no page has told: as pages too, which need neither a session nor a
/// database. Sites differ in their words, and in what stands around their pages.
package struct PageErrors: ErrorForm {
    /// What a site says of an error that its endpoints throw; nil for a failure of its own.
    package typealias Reading =
        @Sendable (any Error) -> (status: HTTPResponse.Status, message: String)?

    private let words: Words
    private let frame: PageFrame
    private let reading: Reading

    /// - Parameters:
    ///   - frame: what stands around the pages, for readers of whom nothing is known.
    ///   - reading: says what the endpoints throw; unless given, refusals say it themselves.
    package init(
        _ words: Words, in frame: PageFrame,
        reading: @escaping Reading = { error in
            (error as? ErrorBody).map { (status: $0.status, message: $0.message) }
        }
    ) {
        self.words = words
        self.frame = frame
        self.reading = reading
    }

    package func answer(to error: any Error) -> Response? {
        reading(error).map { page($0.status, $0.message) }
    }

    package func answer(to trouble: RequestTrouble) -> Response {
        switch trouble {
        case .unauthenticated: return page(.unauthorized, words.signIn)
        case .tooOften: return page(.tooManyRequests, words.tooOften)
        case .bodyTooLarge: return page(.contentTooLarge, words.tooLarge)
        case .unknownPath: return page(.notFound, words.unknownPage)
        case .methodNotAllowed: return page(.methodNotAllowed, words.method)
        case .passing(let passing, _):
            var response = page(
                .serviceUnavailable, passing == .busy ? words.busy : words.databaseIsAway,
                again: words.again)
            response.headers[.retryAfter] = String(passing.pause.milliseconds / 1000)
            return response
        case .failed(_, let request):
            return page(.internalServerError, words.failed(request))
        }
    }

    package func failures(
        of operation: OperationDescription
    ) -> [OperationDescription.Failure] { [] }

    package var codeMember: String { "error" }
    package var hasNumbers: Bool { false }
    package func fields(of status: Int) -> [(name: String, about: String)] { [] }

    private func page(
        _ status: HTTPResponse.Status, _ message: String, again: TryAgain? = nil
    ) -> Response {
        var blocks: [any PageBlock] = [Notice(.bad, message, id: "problem")]
        if let again { blocks.append(again) }
        blocks.append(LinkList([words.back]))
        return Page(words.title(status.code), status: status, blocks).response(in: frame)
    }
}

extension PageErrors {
    /// What a site says of errors.
    package struct Words: Sendable {
        let title: @Sendable (_ status: Int) -> String
        let signIn: String
        let tooOften: String
        let tooLarge: String
        let unknownPage: String
        let method: String
        let busy: String
        let databaseIsAway: String
        let failed: @Sendable (_ request: String) -> String
        let back: PageLink
        let again: TryAgain?

        /// - Parameters:
        ///   - title: what a page is called, by its status.
        ///   - method: where a path takes other methods.
        ///   - failed: where something went wrong, which the log has under a request's identifier.
        ///   - back: leads to the site's first page.
        ///   - again: where a page tries again by itself when something failed that is likely to
        ///     go well soon; nil where it does not.
        package init(
            title: @escaping @Sendable (_ status: Int) -> String, signIn: String,
            tooOften: String, tooLarge: String, unknownPage: String, method: String, busy: String,
            databaseIsAway: String, failed: @escaping @Sendable (_ request: String) -> String,
            back: PageLink, again: TryAgain? = nil
        ) {
            self.title = title
            self.signIn = signIn
            self.tooOften = tooOften
            self.tooLarge = tooLarge
            self.unknownPage = unknownPage
            self.method = method
            self.busy = busy
            self.databaseIsAway = databaseIsAway
            self.failed = failed
            self.back = back
            self.again = again
        }

        /// What pages for customers say, who are told less.
        ///
        /// - Parameters:
        ///   - busy: where something failed that is likely to go well soon.
        ///   - failed: for whatever has no words of its own.
        package init(
            _ words: any CustomerWords, busy: String, failed: String, back: PageLink
        ) {
            self.init(
                title: { _ in words.problemTitle }, signIn: words.signInFirst,
                tooOften: words.tooOften, tooLarge: failed, unknownPage: words.unknownPage,
                method: words.unknownPage, busy: busy, databaseIsAway: busy,
                failed: { _ in failed }, back: back)
        }

        /// What the pages of a console say.
        ///
        /// - Parameter path: leads to the console's first page.
        package init<Own: ConsoleErrorWords>(_ words: Own.Type, overview path: String) {
            self.init(
                title: { Own.title($0) }, signIn: Own.signIn, tooOften: Own.tooOften,
                tooLarge: Own.tooLarge, unknownPage: Own.unknownPage, method: Own.method,
                busy: Own.busy, databaseIsAway: Own.databaseIsAway, failed: { Own.failed($0) },
                back: PageLink(Own.toOverview, path),
                again: TryAgain(Own.tryAgain, Own.triesAgain))
        }
    }
}

extension ErrorBody {
    /// An address that no page of ours leads to.
    package static let unknownPage = ErrorBody(
        .notFound, "unknownPage", "There is no such page.")
}
