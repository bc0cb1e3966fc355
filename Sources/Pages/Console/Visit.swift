import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import StoreHTTP
import SubscriptionRules

/// One request of a signed-in operator.
struct Visit: Sendable {
    let call: Call<StoreSite>
    let console: Console
    let locale: PageLocale
    var desk: ConnectDesk
    /// A form that was refused, while its page is made again.
    var refused: RefusedForm?

    /// Nil for whoever is not signed in.
    init?(_ call: Call<StoreSite>, console: Console) {
        guard console.access.isOperator(call) else { return nil }
        self.call = call
        self.console = console
        locale = PageLocale(accepting: call.request.headers[.acceptLanguage])
        desk = ConnectDesk(call: call)
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
        } catch let refusal as ConnectRefusal {
            return try await response(to: self.refusal(refusal, of: FormInput(call.query)))
        } catch let error as ErrorBody {
            return try await response(
                to: self.refusal(ConnectRefusal(error), of: FormInput(call.query)))
        }
    }

    /// Why a form's wish was refused, and the way back to the form with what was typed.
    func refusal(_ refusal: ConnectRefusal, of form: FormInput) -> Page {
        var path = StorePath(encoded: ConsolePath.above(call.request.uri.path))
        for (name, value) in form.typed { path = path.with(name, value) }
        return .refusal(refusal, back: path.text)
    }

    /// What was typed into a field that was refused, or what usually stands in it.
    func typed(_ name: String, or usual: String = "") -> String { asked(name) ?? usual }

    /// A page in its frame.
    func response(to page: Page) async throws -> Response {
        page.response(in: try await frame())
    }

    // MARK: The frame

    private func frame() async throws -> PageFrame {
        var frame = PageFrame.console(of: call, locale)
        frame.signOut = ConsolePath.signOut
        frame.framedBy = console.framers.origins(reachedBy: call.request.head.authority)
        let clock = try await desk.get(StorePath("connect", "v1", "clock"))
        let now = try clock.moment("now")
        frame.clock = PageFrame.Clock(
            now, text: "\(locale.moment(now)) UTC",
            mode: ConsoleWords.Clock.mode(try clock.text("mode")), href: ConsolePath.clock)
        frame.settings = PageLink(ConsoleWords.appSettings, ConsolePath.settings)
        frame.navigate(at: call.request.uri.path)
        frame.elsewhere = otherEnvironment(frame)
        let faults = try await desk.get(StorePath("connect", "v1", "faults"))
        if try !faults.list("faults").isEmpty {
            frame.banners.append(
                .init(
                    ConsoleWords.faultsAreOn,
                    link: PageLink(ConsoleWords.Faults.title, ConsolePath.faults)))
        }
        let world = try await desk.get(StorePath("connect", "v1", "world"))
        if try !world.bool("deliveries") {
            frame.banners.append(
                .init(
                    ConsoleWords.deliveriesAreOff,
                    link: PageLink(ConsoleWords.World.title, ConsolePath.world)))
        }
        return frame
    }

    /// The present group of pages in the other environment; nil where nobody knows its address.
    private func otherEnvironment(_ frame: PageFrame) -> PageLink? {
        let other: StoreEnvironment = isSandbox ? .production : .sandbox
        let page = (frame.group + frame.nav).first { $0.isCurrent }?.href ?? ConsolePath.overview
        return call.site.server.ports.authority(
            of: other, from: call.site.environment, reachedBy: call.request.head.authority
        ).map { PageLink(other.wire.rawValue, "//\($0)\(page)") }
    }
}

extension PageFrame {
    /// What stands around the pages of an environment, without what only the operator sees.
    static func console(of call: Call<StoreSite>, _ locale: PageLocale) -> PageFrame {
        let environment = call.site.environment
        return PageFrame(
            site: ConsoleWords.site, home: ConsolePath.overview,
            assets: "\(Console.path)/assets/\(PageAssets.version)",
            environment: environment.wire.rawValue,
            environmentKind: call.site.isSandbox ? "sandbox" : "production",
            foot: ConsoleWords.foot, locale: locale)
    }
}

extension Page {
    /// A page that says why something was not done.
    static func refusal(_ refusal: ConnectRefusal, back: String) -> Page {
        Page(
            ConsoleWords.Errors.title(refusal.status.code), status: refusal.status,
            [
                Notice(.bad, refusal.message, strong: nil, id: "problem"),
                Facts([
                    (ConsoleWords.Errors.code, .code(refusal.code)),
                    (ConsoleWords.Errors.field, refusal.field.map { .code($0) }),
                ]),
                LinkList([
                    PageLink(ConsoleWords.Errors.back, back)
                ]),
            ])
    }
}
