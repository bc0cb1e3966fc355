import Logging
import Merchant
import ServiceLifecycle
import TimeAndChance

/// Looks every second whether a merchant's tokens were changed, and lets the new ones take effect.
/// They are compared themselves: the file's time says nothing of a change that came before the
/// first look. A file that cannot be used is logged, and the tokens before stay.
struct TokenWatch: Service {
    let house: MerchantHouse
    let log: Logger
    /// Is told of it.
    let onChange: @Sendable () throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isNews = false
            var problem: String?
            while !Task.isCancelled {
                await SystemTime.wait(.seconds(1))
                if Task.isCancelled { break }
                do {
                    if try house.keys.refresh(for: house.merchant.bundleIDs) { isNews = true }
                    if isNews {
                        try onChange()
                        isNews = false
                        log.notice("the tokens have changed")
                    }
                    try await house.auditRotations()
                    problem = nil
                } catch {
                    let said = "\(error)"
                    guard problem != said else { continue }
                    problem = said
                    log.error(
                        "changed tokens cannot be taken up, and are tried again",
                        metadata: ["error": "\(said)"])
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
