import AppStoreWire
import ConnectAnswers
import MerchantConfiguration
import NIOHTTP1

/// What is asked about campaigns.
extension MerchantClient {
    /// Plans a campaign, with the files that it names.
    func plan(_ file: CampaignFile) async throws -> Answer {
        try await client.send(.POST, StorePath("v1", "operator", "campaigns", "plan")) { json in
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
