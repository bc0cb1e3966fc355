import HTTPSurface
package import Store

extension StoreError {
    /// The code and the sentence with which our own surfaces answer it, for those who ask a store
    /// of their own process.
    package var answer: (code: String, sentence: String) {
        let body = ErrorBody(self)
        return (body.code, body.message)
    }
}
