package import Mail
package import Push
import Synchronization

/// What campaigns need besides the database: who reads their files, and who carries messages.
package struct CampaignMeans: Sendable {
    /// Reads a campaign's file, with the files that it names.
    package typealias Reader =
        @Sendable (_ file: String, _ attachments: [String: String]) throws -> CampaignDefinition

    package var read: Reader?
    /// Nil where no mail can be sent.
    package var mail: (any MailRelay)?
    /// By the service that knows a device; empty where nothing can be pushed.
    package var push: [PushToken.Environment: any PushService]
    /// What was read already, by the number of the campaign.
    var known: [Int64: CampaignDefinition] = [:]

    package init(
        read: Reader? = nil, mail: (any MailRelay)? = nil,
        push: [PushToken.Environment: any PushService] = [:]
    ) {
        self.read = read
        self.mail = mail
        self.push = push
    }
}

extension Merchant {
    /// Runs campaigns by these means from now on.
    package func use(_ means: CampaignMeans) { campaignMeans.withLock { $0 = means } }

    /// A campaign as its file describes it.
    ///
    /// - Throws: `CampaignUnreadable`, or what the reader throws.
    func definition(of row: CampaignRow) throws -> CampaignDefinition {
        let (known, read) = campaignMeans.withLock { ($0.known[row.id], $0.read) }
        if let known { return known }
        guard let read else { throw CampaignUnreadable() }
        let definition = try read(row.file, try CampaignRow.files(row.attachments))
        campaignMeans.withLock { $0.known[row.id] = definition }
        return definition
    }
}

/// Nobody here reads the files of campaigns.
struct CampaignUnreadable: Error {}
