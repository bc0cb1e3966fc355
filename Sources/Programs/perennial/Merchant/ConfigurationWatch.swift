import FoundationEssentials
import Logging
import MerchantConfiguration
import PlacedYAML
import ServiceLifecycle
import TimeAndChance

/// Looks every second whether a merchant's configuration has changed, and lets it take effect. One
/// that cannot be used is logged, and the one before stays.
struct ConfigurationWatch: Service {
    let plan: MerchantServePlan
    /// What is in effect at the start.
    let configuration: MerchantConfiguration
    let log: Logger
    /// Lets a configuration take effect.
    let apply: @Sendable (MerchantConfiguration) async throws -> Void
    private let seen: [String: Stamp]

    /// How a file was found.
    private struct Stamp: Hashable, Sendable {
        /// When it was changed last; nil where there is none.
        let modified: Date?
    }

    init(
        _ plan: MerchantServePlan, _ configuration: MerchantConfiguration, log: Logger,
        apply: @escaping @Sendable (MerchantConfiguration) async throws -> Void
    ) {
        self.plan = plan
        self.configuration = configuration
        self.log = log
        self.apply = apply
        seen = Self.stamps(of: configuration.files)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known = seen
            while !Task.isCancelled {
                await SystemTime.wait(.seconds(1))
                let now = Self.stamps(of: Array(known.keys))
                guard now != known, !Task.isCancelled else { continue }
                // A file that changes while all are read is found the next time.
                let files = await change()
                known = Self.stamps(of: files).merging(now) { _, before in before }
            }
        }
    }

    /// - Returns: the files that it is read from now.
    private func change() async -> [String] {
        do {
            let next = try plan.configuration()
            try await apply(next)
            log.notice("the configuration has changed")
            if next.server != configuration.server {
                log.warning("`server` in the configuration takes effect at the next start")
            }
            return next.files
        } catch let error as ConfigurationErrors {
            for problem in error.problems {
                log.error(
                    "the configuration cannot be used, the one before stays",
                    metadata: ["problem": "\(problem)"])
            }
        } catch {
            log.error(
                "the configuration cannot take effect, the one before stays until it changes again",
                metadata: ["error": "\(error)"])
        }
        return []
    }

    private static func stamps(of files: [String]) -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        for file in files {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            stamps[file] = Stamp(modified: attributes?[.modificationDate] as? Date)
        }
        return stamps
    }
}

/// The service group logs its services by reflection, and a configuration holds keys.
extension ConfigurationWatch: CustomStringConvertible, CustomReflectable {
    var description: String { "ConfigurationWatch" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
