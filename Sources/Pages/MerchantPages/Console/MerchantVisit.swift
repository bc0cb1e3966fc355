import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
import SubscriptionRules

/// One request of a signed-in operator.
struct MerchantVisit: Sendable {
    let call: Call<MerchantSite>
    let locale: PageLocale
    let desk: MerchantDesk

    /// Nil for whoever is not signed in.
    init?(_ call: Call<MerchantSite>, console: MerchantConsole) {
        guard console.access.isOperator(call) else { return nil }
        self.call = call
        locale = PageLocale(accepting: call.request.headers[.acceptLanguage])
        desk = MerchantDesk(call: call, caller: .theOperator)
    }

    /// A part of the path.
    func part(_ name: String) throws(ErrorBody) -> String {
        guard let text = call.parameter(name) else { throw .unknownPage }
        return text
    }

    /// What a field of the address says; nil for nothing.
    func asked(_ name: String) -> String? {
        call.query.values(name).first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Does something; what is refused is answered with a page that says so.
    func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let refusal as MerchantRefusal {
            return response(to: self.refusal(refusal, of: try FormInput(call.query)))
        } catch let error as ErrorBody {
            return response(
                to: self.refusal(MerchantRefusal(error), of: try FormInput(call.query)))
        }
    }

    /// Why a form's wish was refused, and the way back to the form with what was typed.
    func refusal(_ refusal: MerchantRefusal, of form: FormInput) -> Page {
        var path = StorePath(encoded: MerchantPath.above(call.request.uri.path))
        for (name, value) in form.all where name != MerchantForm.field && name != "token" {
            path = path.with(name, value)
        }
        return .merchantRefusal(refusal, back: path.text)
    }

    /// A page in its frame.
    func response(to page: Page) -> Response {
        var frame = PageFrame.merchant(locale)
        frame.signOut = MerchantPath.signOut
        let navigation = MerchantNavigation(at: call.request.uri.path)
        frame.nav = navigation.groups
        frame.group = navigation.pages
        return page.response(in: frame)
    }

    // MARK: Cells

    /// A moment that a member says; nothing where there is none.
    func momentCell(_ answer: Answer, _ member: String) -> Cell {
        answer.optionalMoment(member).map(momentCell) ?? .none
    }

    func momentCell(_ at: Instant) -> Cell { .moment(at, locale.moment(at)) }

    /// A whole number that a member says.
    func numberCell(_ answer: Answer, _ member: String) throws -> Cell {
        .number(locale.number(Int(try answer.integer(member))))
    }

    /// How long ago something was.
    func age(since moment: Instant, at now: Instant) -> String {
        let seconds = Int(max(0, now.since(moment).milliseconds / 1000))
        typealias Words = MerchantWords.Ages
        switch seconds {
        case ..<120: return Words.seconds(seconds)
        case ..<7200: return Words.minutes(seconds / 60)
        case ..<172_800: return Words.hours(seconds / 3600)
        default: return Words.days(seconds / 86_400)
        }
    }

    /// The calls and command lines by which the same is had.
    func same(_ calls: MerchantCall...) -> SameElsewhere {
        SameElsewhere(
            MerchantWords.same,
            calls.map { one in
                SameElsewhere.Item(
                    one.about, call: one.call,
                    command: one.command.map { CommandLineText.of(["perennial"] + $0) })
            })
    }
}

/// A call of the merchant, and the command line that does the same.
struct MerchantCall: Sendable {
    let about: String
    let call: String
    /// The words behind `perennial`; nil where there is no command for it.
    let command: [String]?

    /// - Parameter body: what the call carries, as JSON.
    init(
        _ about: String, _ method: HTTPRequest.Method, _ path: StorePath, body: String? = nil,
        command: [String]?
    ) {
        self.about = about
        call = "\(method.rawValue) \(path.text)" + (body.map { " \($0)" } ?? "")
        self.command = command
    }
}

extension PageFrame {
    /// What stands around the pages, without what only the operator sees.
    static func merchant(_ locale: PageLocale) -> PageFrame {
        PageFrame(
            site: MerchantWords.site, home: MerchantPath.overview,
            assets: "\(MerchantConsole.path)/assets/\(PageAssets.version)",
            environment: MerchantWords.merchant, environmentKind: "none",
            foot: MerchantWords.foot, locale: locale)
    }
}

extension Page {
    /// A page that says why something was not done.
    static func merchantRefusal(_ refusal: MerchantRefusal, back: String) -> Page {
        typealias Words = MerchantWords.Errors
        return Page(
            Words.title(refusal.status.code), status: refusal.status,
            [
                Notice(.bad, refusal.message, id: "problem"),
                Facts([
                    (Words.code, .code(refusal.code)),
                    (Words.field, refusal.field.map { .code($0) }),
                ]),
                LinkList([PageLink(Words.back, back)]),
            ])
    }
}
