package import HTTPSurface
import HTTPTypes
package import Hummingbird

/// How pages tell errors to readers of several languages: in the one that the browser asks for,
/// and in English where it asks for none of them (PAG-12).
package struct ErrorsByLanguage: ErrorForm {
    private let make: @Sendable (PageLocale) -> PageErrors
    /// For whoever is not known.
    private let usual: PageErrors

    /// - Parameter make: tells errors in the language of a reader.
    package init(_ make: @escaping @Sendable (PageLocale) -> PageErrors) {
        self.make = make
        usual = make(.english)
    }

    package func speaking(to request: Request) -> any ErrorForm {
        make(PageLocale(accepting: request.headers[.acceptLanguage], in: PageLocale.all))
    }

    package func answer(to error: any Error) -> Response? { usual.answer(to: error) }
    package func answer(to trouble: RequestTrouble) -> Response { usual.answer(to: trouble) }

    package func failures(
        of operation: OperationDescription
    ) -> [OperationDescription.Failure] { usual.failures(of: operation) }

    package var codeMember: String { usual.codeMember }
    package var hasNumbers: Bool { usual.hasNumbers }
    package func fields(of status: Int) -> [(name: String, about: String)] {
        usual.fields(of: status)
    }
}
