import FoundationEssentials
import Logging
import Merchant
import ServiceLifecycle
import TimeAndChance

/// Looks every second whether a merchant's tokens were changed, and lets the new ones take effect.
/// A file that cannot be used is logged, and the tokens before stay.
struct TokenWatch: Service {
    let house: MerchantHouse
    let log: Logger
    /// Is told of it.
    let onChange: @Sendable () throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known = house.keys.file.modified
            while !Task.isCancelled {
                await SystemTime.wait(.seconds(1))
                let now = house.keys.file.modified
                guard now != known, !Task.isCancelled else { continue }
                known = now
                do {
                    try house.keys.refresh(for: house.merchant.bundleIDs)
                    try onChange()
                    log.notice("the tokens have changed")
                } catch {
                    log.error(
                        "the tokens cannot be used, those before stay until they change again",
                        metadata: ["error": "\(error)"])
                }
            }
        }
    }
}

/// The service group logs its services by reflection, and a house holds tokens.
extension TokenWatch: CustomStringConvertible, CustomReflectable {
    var description: String { "TokenWatch" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
