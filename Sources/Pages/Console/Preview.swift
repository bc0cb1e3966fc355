import ConnectAnswers
import HTMLPages
import HTTPSurface
import Hummingbird

/// An act that a form asks about before it is done: it is rehearsed, and the page with what it
/// would do has the same form once more, which does it.
struct Preview {
    /// What a form carries that only asks.
    static let field = "preview"

    /// Marks a form so.
    static let hidden = PageForm.Hidden(field, "1")

    /// What there is to say of a form and of what it would do.
    typealias Besides =
        @Sendable (Visit, FormInput, [Answer]) async throws -> [any PageBlock]

    private let name: String
    fileprivate let form: FormInput
    fileprivate let besides: Besides?

    /// Acts that cannot be taken back.
    private static let final: Set = [
        "withdrawPrice", "endOffer", "endCodes", "discontinue", "clearHistory", "doDeviceAct",
        "decideRefund", "removeSnapshot", "removeFork",
    ]

    /// - Parameters:
    ///   - name: the action's.
    ///   - besides: what there is to say above what it would do, or instead of it where nobody can
    ///     try it.
    init(_ name: String, _ form: FormInput, besides: Besides?) {
        self.name = name
        self.form = form
        self.besides = besides
    }

    fileprivate var title: String { ConsoleWords.preview(of: name) }

    fileprivate func button(sentTo action: String, back: String) -> PageForm {
        PageForm(
            Self.final.contains(name) ? .danger : .change, action: action, button: title,
            hidden: [FormID.hidden()]
                + form.all.filter { $0.name != Self.field && $0.name != FormID.field }
                .map { PageForm.Hidden($0.name, $0.value) },
            way: PageLink(ConsoleWords.Acts.leaveIt, back))
    }
}

extension Visit {
    /// What an act would do, and the button that does it.
    func page(
        of preview: Preview, _ act: (Visit) async throws -> String
    ) async throws -> Page {
        var rehearsing = self
        rehearsing.desk.rehearses = true
        var entries: [Answer] = []
        do {
            // What asks for nothing to be changed changes nothing.
            _ = try await act(rehearsing)
        } catch let foretold as Foretold {
            entries = foretold.entries
        }
        let action = call.request.uri.path
        let button = preview.button(sentTo: action, back: ConsolePath.above(action))
        let besides = try await preview.besides?(self, preview.form, entries) ?? []
        guard entries.isEmpty, !besides.isEmpty else {
            return Page(preview.title, besides + [rehearsal(entries, button)])
        }
        return Page(
            preview.title,
            [PageSection(ConsoleWords.Acts.previewTitle, id: "preview", besides + [button])])
    }
}
