import FoundationEssentials
import MerchantRules
import Storage
import Synchronization

extension Merchant {
    /// Starts an outage campaign: from now on the keeper carries it out, of whichever process.
    /// Starting it again by the same file changes nothing.
    ///
    /// - Parameters:
    ///   - file: the campaign's file, which is kept with it.
    ///   - attachments: the files that it names.
    /// - Throws: `MerchantError.unknownApp`, `noServerAPI`, `otherCampaignKind`, and
    ///   `campaignExists` where another file of this name was started.
    public func startOutage(
        _ definition: CampaignDefinition, file: String, attachments: [String: String]
    ) async throws -> OutageReport {
        guard case .outage(let campaign) = definition.work else {
            throw MerchantError.otherCampaignKind(definition.name)
        }
        let app = try app(definition.bundleID)
        for environment in MerchantEnvironment.allCases
        where campaign.environments.contains(CampaignSubscriber.Environment(environment)) {
            let place = lookPlaces().first {
                $0.app.id == app.id && $0.environment == environment
            }
            guard place != nil else {
                throw MerchantError.noServerAPI(definition.bundleID, environment)
            }
        }
        let now = try await now()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let files = String(decoding: try encoder.encode(attachments), as: UTF8.self)
        let id = try await database.write { session in
            var row = CampaignRow.blank
            (row.app, row.name, row.kind) = (app.id, campaign.name, .outage)
            (row.file, row.attachments) = (file, files)
            (row.started, row.moved) = (now, now)
            guard let begun = try row.begin(session) else {
                let known = try CampaignRow.find(campaign.name, of: app.id, session)
                guard let known, known.kind == .outage, known.file == file,
                    try CampaignRow.files(known.attachments) == attachments
                else { throw MerchantError.campaignExists(campaign.name) }
                return known.id
            }
            for call in OutageCall.planned(campaign, in: begun, at: now) {
                try call.save(session)
            }
            return begun.id
        }
        campaignMeans.withLock { $0.known[id] = definition }
        return try await outageReport(campaign.name, of: definition.bundleID)
    }
}
