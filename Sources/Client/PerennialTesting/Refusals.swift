import Store
import StoreHTTP

extension TestStore {
    /// The code of a refusal, such as `paymentDeclined`, as `/storefront` and `/connect` answer it;
    /// nil for any other error.
    public static func code(of error: any Error) -> String? {
        (error as? StoreError)?.answer.code
    }
}
