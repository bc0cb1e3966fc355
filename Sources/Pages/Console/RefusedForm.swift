import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP

/// A form that was refused: it is shown again with what was typed, and says beside the field what
/// is wrong.
struct RefusedForm: Sendable {
    /// The path that it was sent to, so that no other form of the page takes it for its own.
    let action: String
    let form: FormInput
    let refusal: ConnectRefusal

    /// What is wrong with a field; nil where it is not that one.
    ///
    /// - Parameter others: further names of the same thing, as `/connect` calls it.
    func problem(_ name: String, or others: [String]) -> String? {
        // Of `winBack.paidMonths` and `prices[0].price` the last name is the field's.
        let field = refusal.field?.split(separator: ".").last.map { $0.prefix { $0 != "[" } } ?? ""
        return ([name] + others).contains { $0 == field || $0 == refusal.code }
            ? refusal.message : nil
    }
}

/// The forms of a page, with what was typed where one of them was refused.
struct FormDesk {
    let visit: Visit
    /// Names the form's fields on the page.
    let id: String
    /// Where it is sent to.
    let action: String

    /// The form, if it is this one that was refused.
    private var refused: RefusedForm? { visit.refused.flatMap { $0.action == action ? $0 : nil } }

    /// - Parameters:
    ///   - usual: what stands in the field before anybody types.
    ///   - others: what `/connect` calls the same, or the code by which it refuses it.
    func field(
        _ name: String, _ label: String, _ kind: Field.Kind = .text, or usual: String = "",
        hint: String = "", isRequired: Bool = false, alsoCalled others: String...
    ) -> Field {
        let value: String
        if let refused {
            value = refused.form[name]
        } else {
            value = visit.asked(name) ?? usual
        }
        return Field(
            name, label, kind, in: id, value: value, hint: hint,
            problem: refused?.problem(name, or: others), isRequired: isRequired)
    }

    /// A form that changes something, once.
    ///
    /// - Parameter isPreviewed: whether what it will do is shown first.
    func form(
        _ purpose: PageForm.Purpose = .change, _ button: String, about: String? = nil,
        hidden: [PageForm.Hidden] = [], _ fields: [Field] = [], way: PageLink? = nil,
        isPreviewed: Bool = false
    ) -> PageForm {
        PageForm(
            purpose, action: action, button: button, about: about,
            hidden: [FormID.hidden()] + (isPreviewed ? [Preview.hidden] : []) + hidden,
            fields: fields, way: way)
    }
}

extension Visit {
    /// A form of a page.
    func formDesk(_ id: String, to action: String) -> FormDesk {
        FormDesk(visit: self, id: id, action: action)
    }

    /// The page of a form that was refused, or one that only says why.
    func page(
        of refusal: ConnectRefusal, _ form: FormInput,
        on page: (@Sendable (Visit) async throws -> Page)?
    ) async throws -> Page {
        guard let page else { return self.refusal(refusal, of: form) }
        var again = self
        again.refused = RefusedForm(
            action: call.request.uri.path, form: form, refusal: refusal)
        do {
            var shown = try await page(again)
            shown.status = refusal.status
            shown.blocks.insert(Notice(.bad, refusal.message, id: "problem"), at: 0)
            return shown
        } catch is ConnectRefusal {
            // What the page is about is not there either.
            return self.refusal(refusal, of: form)
        }
    }
}

/// A list with conditions in its address, some of which may name what there is not.
struct FilteredList {
    private let visit: Visit
    /// What was found; nil where a condition was refused.
    let answer: Answer?
    let refusal: ConnectRefusal?

    /// - Throws: `UnusableAnswer`; what no condition is to blame for.
    init(_ visit: Visit, _ path: StorePath) async throws {
        self.visit = visit
        do {
            answer = try await visit.desk.get(path)
            refusal = nil
        } catch let refused as ConnectRefusal {
            answer = nil
            refusal = refused
        }
    }

    /// A condition, with what is wrong with it.
    ///
    /// - Parameter code: by which `/connect` refuses it.
    func field(
        _ name: String, _ label: String, _ kind: Field.Kind = .search, refusedBy code: String? = nil
    ) -> Field {
        let isWrong = refusal.map { $0.field == name || $0.code == code } ?? false
        return Field(
            name, label, kind, in: "filter", value: visit.asked(name) ?? "",
            problem: isWrong ? refusal?.message : nil)
    }

    /// The page with its conditions above, and what was found or why nothing was.
    func page(
        _ title: String, lead: String? = nil, to action: String, _ conditions: [Field],
        hidden: [PageForm.Hidden] = [], _ blocks: (Answer) throws -> [any PageBlock]
    ) throws -> Page {
        let form = PageForm(
            .ask, action: action, button: ConsoleWords.filter, hidden: hidden,
            fields: conditions)
        var page = Page(title, lead: lead, [form])
        if let answer {
            page.blocks += try blocks(answer)
        } else if let refusal {
            page.blocks.insert(Notice(.bad, refusal.message, id: "problem"), at: 0)
            page.status = refusal.status
        }
        return page
    }
}
