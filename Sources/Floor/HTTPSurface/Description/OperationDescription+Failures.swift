package import HTTPTypes

extension OperationDescription {
    /// An error that an operation can answer.
    package struct Failure: Sendable, Hashable {
        package let status: HTTPResponse.Status
        /// What programs branch on; nil where the status is all there is.
        let code: String?
        /// What the error is called besides.
        let name: String?

        /// - Parameter name: what it is called, where the code alone says little.
        package init(_ status: HTTPResponse.Status, _ code: String, name: String? = nil) {
            self.status = status
            self.code = code
            self.name = name
        }

        /// A status without a code.
        package init(bare status: HTTPResponse.Status) {
            self.status = status
            code = nil
            name = nil
        }
    }
}

/// An error that one parameter or member is refused with, where each has its own.
package protocol DeclaredError: Error, Sendable {
    /// How it is described.
    var failure: OperationDescription.Failure { get }
}
