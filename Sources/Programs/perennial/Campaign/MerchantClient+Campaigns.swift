import AppStoreWire
import ConnectAnswers
import MerchantConfiguration
import NIOHTTP1
import SubscriptionRules

/// What is asked about campaigns.
extension MerchantClient {
    /// Plans a campaign, with the files that it names.
    func plan(_ file: CampaignFile) async throws -> Answer {
        try await send(file, to: StorePath("v1", "operator", "campaigns", "plan"))
    }

    private func send(
        _ file: CampaignFile, to path: StorePath,
        also others: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> Answer {
        try await client.send(.POST, path) { json in
            others(&json)
            json.field("file", file.text)
            json.array("attachments") { json in
                for (name, text) in file.attachments.sorted(by: { $0.key < $1.key }) {
                    json.elementObject { json in
                        json.field("name", name)
                        json.field("text", text)
                    }
                }
            }
        }
    }

    /// Starts an outage.
    func startOutage(_ file: CampaignFile) async throws -> Answer {
        try await send(file, to: StorePath("v1", "operator", "outages"))
    }

    /// How far an outage is.
    func outage(_ name: String) async throws -> Answer {
        try await client.get(StorePath("v1", "operator", "outages", app.bundleID, name))
    }

    /// What became of the subscriptions of an outage, as many as there are.
    func outageSubscribers(_ name: String) async throws -> Answer {
        let path = StorePath("v1", "operator", "outages", app.bundleID, name, "subscribers")
        return try await client.pages(path, list: "subscribers", limit: .max) { path, last in
            let after = try last.map { String(try $0.integer("id")) }
            return path.with("after", after)
        }
    }

    /// What a plan says of its subscribers, as many as there are.
    func subscribers(of plan: Int64, decision: String?) async throws -> Answer {
        let path = StorePath("v1", "operator", "campaigns", "plans", String(plan), "subscribers")
            .with("decision", decision)
        return try await client.pages(path, list: "subscribers", limit: .max) { path, last in
            let after = try last.map { String(try $0.integer("id")) }
            return path.with("after", after)
        }
    }

    /// Some of them, drawn at random.
    func sample(of plan: Int64, count: Int, seed: Int64) async throws -> Answer {
        try await client.get(
            StorePath("v1", "operator", "campaigns", "plans", String(plan), "sample")
                .with("count", String(count)).with("seed", String(seed)))
    }

    // MARK: Campaigns that run

    private func path(ofCampaign name: String, _ part: String? = nil) -> StorePath {
        guard let part else { return StorePath("v1", "apps", app.bundleID, "campaigns", name) }
        return StorePath("v1", "apps", app.bundleID, "campaigns", name, part)
    }

    /// Starts a campaign, or says what it would do.
    func run(_ file: CampaignFile, go: Bool) async throws -> Answer {
        let path = StorePath("v1", "operator", "campaigns", "run")
        return try await send(file, to: path) { json in json.field("go", go) }
    }

    /// Plays a campaign with answers that are made up.
    func rehearse(
        _ file: CampaignFile, agree: Int, decline: Int, cancel: Int, seed: String
    ) async throws -> Answer {
        let path = StorePath("v1", "operator", "campaigns", "rehearse")
        return try await send(file, to: path) { json in
            json.field("agree", Int64(agree))
            json.field("decline", Int64(decline))
            json.field("cancel", Int64(cancel))
            json.field("seed", seed)
        }
    }

    /// How far a campaign is.
    func campaign(_ name: String) async throws -> Answer {
        try await client.get(path(ofCampaign: name))
    }

    /// Holds a campaign up, lets it go on, or ends it.
    func move(_ name: String, _ word: String) async throws -> Answer {
        try await client.send(.POST, path(ofCampaign: name, word))
    }

    /// When campaigns have something to do; nil where nothing is due.
    func nextCampaignMoment() async throws -> Instant? {
        try await client.get(StorePath("v1", "operator", "campaigns", "next"))
            .optionalMoment("moment")
    }

    /// The messages of a campaign, as many as there are.
    func campaignMessages(
        of name: String, channel: String?, state: String?, purchase: String?, limit: Int
    ) async throws -> Answer {
        let path = path(ofCampaign: name, "messages").with("channel", channel)
            .with("state", state).with("originalTransactionId", purchase)
        return try await client.pages(path, list: "messages", limit: limit) { path, last in
            let after = try last.map { String(try $0.integer("id")) }
            return path.with("after", after)
        }
    }

    /// The subscribers of a price campaign, as many as there are.
    func priceSubscribers(
        of name: String, outcome: String?, cohort: String?
    ) async throws -> Answer {
        let path = path(ofCampaign: name, "subscribers").with("outcome", outcome)
            .with("cohort", cohort)
        return try await client.pages(path, list: "subscribers", limit: .max) { path, last in
            let after = try last.map { String(try $0.integer("id")) }
            return path.with("after", after)
        }
    }

    /// What has come of a price campaign.
    func priceReport(of name: String) async throws -> Answer {
        try await client.get(path(ofCampaign: name, "report"))
    }

    /// What proves a subscriber's answers.
    func consents(of name: String, _ originalTransactionID: String) async throws -> Answer {
        try await client.get(
            StorePath(
                "v1", "apps", app.bundleID, "campaigns", name, "consents",
                originalTransactionID))
    }
}
