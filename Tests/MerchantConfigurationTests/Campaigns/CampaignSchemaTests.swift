import AppStoreWire
import Foundation
import MerchantConfiguration
import PlacedYAML
import Testing

/// The JSON schema for editors names what the reader takes.
@Suite("Campaigns: the JSON schema")
struct CampaignSchemaTests {
    private func schema() throws -> JSONValue {
        let path = Examples.root.appending(path: "docs/schemas/campaign.json")
        return try JSONValue(parsing: Array(try Data(contentsOf: path)))
    }

    /// The schema of a kind of campaign.
    private func schema(of kind: String) throws -> JSONValue {
        let all = try #require(try schema()["oneOf"]?.array)
        return try #require(
            all.first { $0["properties"]?["kind"]?["const"]?.string == kind })
    }

    /// What the reader says that it knows where a member is unknown.
    private func known(_ yaml: String, besides member: String) throws -> Set<String> {
        do {
            _ = try CampaignFile.read(yaml, named: "c.yaml", attachments: [:])
            return []
        } catch {
            let problem = try #require(
                error.problems.first { $0.member == member && $0.message.contains("is unknown") })
            let list = problem.message.dropFirst("is unknown: use ".count)
                .prefix { $0 != "." }.replacing(", or remove the line", with: "")
            return Set(list.split(separator: ", ").map(String.init))
        }
    }

    private func names(_ schema: JSONValue?) -> Set<String> {
        Set((schema?["properties"]?.object ?? [:]).keys)
    }

    private static let told = CampaignFileTests.priceHead
        .replacing("appStoreConnect", with: "merchantManaged").replacing("product", with: "sku")

    @Test("The schema names every member of a campaign that the reader takes, and no other")
    func members() throws {
        let (price, outage) = (try schema(of: "price"), try schema(of: "outage"))
        #expect(
            try known(CampaignFileTests.priceHead + "x: 1\n", besides: "x") == names(price))
        #expect(
            try known(CampaignFileTests.outageHead + "x: 1\n", besides: "x") == names(outage))
        let parts = [
            ("except", price["properties"]?["except"]), ("pace", price["properties"]?["pace"]),
            ("mail", price["properties"]?["mail"]), ("sheet", price["properties"]?["sheet"]),
            ("push", price["properties"]?["push"]),
        ]
        for (name, part) in parts {
            let yaml = Self.told + "\(name): {x: 1}\n"
            #expect(try known(yaml, besides: "\(name).x") == names(part), "\(name)")
        }
        let interval = CampaignFileTests.outageHead.replacing("{from:", with: "{x: 1, from:")
        #expect(
            try known(interval, besides: "outage.x") == names(outage["properties"]?["outage"]))
    }

    @Test("What the schema requires is what the reader misses")
    func required() throws {
        for kind in ["price", "outage"] {
            let wanted = try schema(of: kind)["required"]?.array?.compactMap(\.string) ?? []
            do {
                _ = try CampaignFile.read("kind: \(kind)\n", named: "c", attachments: [:])
                Issue.record("It was accepted.")
            } catch {
                let missed = error.problems.filter { $0.message.hasPrefix("lacks") }
                    .compactMap { $0.message.split(separator: "`").dropFirst().first }
                #expect(Set(missed.map(String.init)) == Set(wanted).subtracting(["kind"]))
            }
        }
    }
}
