import AppStoreWire
import ConnectAnswers
import MerchantConfiguration
import NIOHTTP1

/// What is asked about campaigns.
extension MerchantClient {
    /// Plans a campaign, with the files that it names.
    func plan(_ file: CampaignFile) async throws -> Answer {
        try await send(file, to: StorePath("v1", "operator", "campaigns", "plan"))
    }

    private func send(_ file: CampaignFile, to path: StorePath) async throws -> Answer {
        try await client.send(.POST, path) { json in
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
}
