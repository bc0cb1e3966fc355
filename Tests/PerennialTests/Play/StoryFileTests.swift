import AppStoreWire
import Foundation
import PlacedYAML
import Testing

@testable import perennial

@Suite("Stories: their files")
struct StoryFileTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What every story begins with.
    private static let head = """
        story: A story
        catalogue: Garden.storekit

        """

    /// Reads a story that stands beside the example's catalogue.
    private func read(_ text: String) throws -> Story {
        let path = Self.root.appending(path: "Examples/story.yaml").path
        return try StoryReader.read(text, named: path)
    }

    /// What is wrong with a story, without its folder.
    private func problems(of text: String) throws -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let errors as ConfigurationErrors {
            let folder = Self.root.appending(path: "Examples").path + "/"
            return errors.problems.map { $0.placed.replacing(folder, with: "") }
        }
    }

    @Test("A story is read with the command of each step")
    func commands() throws {
        let story = try read(
            Self.head + """
                start: 2026-01-31
                merchant: true
                steps:
                - buy: pro.monthly
                  account: anna
                  quantity: 2
                - pay: decline
                  account: anna
                  count: 3
                - cancel: anna
                - change: basic.monthly
                  account: anna
                - refund: anna
                  prorated: true
                - family: anna
                  with: [bea, carl]
                - join: dora
                  of: anna
                - priceChange: pro.monthly
                  storefront: USA
                  to: 14.99
                  existing: apply
                - gracePeriod: 16
                - advanceTo: 2027-01-01
                - expect: anna
                  status: active
                  access: true
                """)
        #expect(story.start == "2026-01-31")
        #expect(story.hasMerchant && !story.isInSandbox)
        let commands = story.steps.map { $0.command()?.joined(separator: " ") }
        #expect(
            commands == [
                "buy --account=anna --quantity=2 pro.monthly", "pay --count=3 anna decline",
                "renewal anna off", "plan anna basic.monthly",
                "refunds issue --prorated anna", "family create anna bea carl",
                "family add anna dora",
                "price schedule --existing=apply pro.monthly USA 14.99",
                "app set --grace-period=16", "advance --to=2027-01-01", nil,
            ])
    }

    @Test("An account that looks like an option is named behind the mark that ends options")
    func hyphens() throws {
        let story = try read(Self.head + "steps:\n- cancel: -anna\n")
        #expect(
            story.steps.first?.command(["--json"]) == ["renewal", "--json", "--", "-anna", "off"])
    }

    @Test(
        "What is wrong is told with its line, its column and what to write",
        arguments: [
            ("", "story.yaml:1: The file is empty: say what the story shows"),
            ("[", "This is no YAML"),
            ("steps: []\n", "story.yaml:1:1: lacks `story`: write `story: …`."),
            ("HEAD\n", "story.yaml:1:1: lacks `steps`: write"),
            ("HEAD\nsteps: []\n", "story.yaml:3:1: `steps` is empty"),
            ("story: A\nsteps:\n- advance: P1M\n", "story.yaml:1:1: lacks `catalogue`: name"),
            (
                "story: A\ncatalogue: none.storekit\nsteps:\n- advance: P1M\n",
                "story.yaml:2:1: `catalogue` names"
            ),
            (
                "story: A\nexample: true\nstart: 2026-01-01\nsteps:\n- advance: P1M\n",
                "story.yaml:3:1: `start` goes with no example"
            ),
            (
                "HEAD\nstart: 1999-01-01\nsteps:\n- advance: P1M\n",
                "story.yaml:3:1: `start` must lie in the years"
            ),
            ("HEAD\nmerchant: yes\nsteps:\n- advance: P1M\n", "`merchant` must be true or false"),
            (
                "HEAD\nsteps:\n- by: pro\n  account: anna\n",
                "story.yaml:4:3: `steps[0]` names no step: write one of buy"
            ),
            ("HEAD\nsteps:\n- by: pro\n", "Did you mean 'buy'?"),
            (
                "HEAD\nsteps:\n- buy: pro\n",
                "story.yaml:4:3: `steps[0]` lacks `account`: write `account: …`."
            ),
            (
                "HEAD\nsteps:\n- buy: pro\n  account: anna\n  price: 3\n",
                "story.yaml:6:3: `steps[0].price` is unknown: use buy, account"
            ),
            (
                "HEAD\nsteps:\n- advance: 1 month\n",
                "story.yaml:4:3: `steps[0].advance` '1 month' is no step of time: write P1M"
            ),
            (
                "HEAD\nsteps:\n- pay: declin\n  account: anna\n",
                "`steps[0].pay` must be approve or decline or later. Did you mean 'decline'?"
            ),
            (
                "HEAD\nsteps:\n- buy: coins\n  account: anna\n  quantity: 11\n",
                "`steps[0].quantity` must be a whole number from 1 to 10."
            ),
            (
                "HEAD\nsteps:\n- pay: approve\n  account: anna\n  count: 3\n",
                "story.yaml:4:3: `steps[0]` --count and --until limit"
            ),
            (
                "HEAD\nsteps:\n- priceChange: a\n  storefront: USA\n  to: 9.999\n",
                "'9.999' is no price in USD."
            ),
            ("HEAD\nsteps:\n- expect: anna\n", "`steps[0]` expects nothing: write"),
            (
                "HEAD\nsteps:\n- expect: anna\n  access: true\n",
                "asks for `access`, which a merchant gives: write `merchant: true` above."
            ),
            (
                "HEAD\nsteps:\n- expect: anna\n  notifications: [DID_RENW]\n",
                "`steps[0].notifications[0]` 'DID_RENW' is no notification"
            ),
            (
                "HEAD\nsteps:\n- expect: anna\n  notifications: DID_RENEW\n",
                "`steps[0].notifications` must be a list, `[DID_RENEW]`, or none."
            ),
            (
                "HEAD\nsteps:\n- expect: anna\n  price: cheap\n",
                "`steps[0].price` must be an amount: write 9.99, or 9.99 USD."
            ),
            (
                "HEAD\nsteps:\n- expect: anna\n  expires: soon\n",
                "`steps[0].expires` 'soon' is no moment: write"
            ),
        ] as [(String, String)])
    func refusals(_ yaml: String, _ words: String) throws {
        let text = yaml.replacing("HEAD\n", with: Self.head)
        let problems = try problems(of: text)
        #expect(problems.contains { $0.contains(words) }, "\(problems)")
    }

    @Test("All that is wrong is told at once")
    func all() throws {
        let problems = try problems(
            of: Self.head + "steps:\n- buy: pro\n- advance: never\n- expect: anna\n")
        #expect(problems.count == 3, "\(problems)")
    }

    @Test("Amounts are compared in thousandths, with or without their currency")
    func amounts() {
        #expect(StoryAmount("9.99")?.means(9_990, "USD") == true)
        #expect(StoryAmount("9.990 USD")?.means(9_990, "USD") == true)
        #expect(StoryAmount("9.99 EUR")?.means(9_990, "USD") == false)
        #expect(StoryAmount("300")?.means(300_000, "JPY") == true)
        for text in ["", "-1", "9,99", "9.9999", "9.99 USD each", "1e3"] {
            #expect(StoryAmount(text) == nil, "\(text)")
        }
    }

    @Test("The JSON schema in the documents is the reader's")
    func schema() throws {
        let path = Self.root.appending(path: "docs/schemas/story.json")
        let document = try JSONValue(parsing: Array(try Data(contentsOf: path)))
        #expect(
            document == StorySchema.value,
            "perennial play --schema > docs/schemas/story.json writes it anew")
    }

    @Test("No member of a step is named like a step, so that each step is one thing")
    func names() {
        let steps = Set(StoryForm.steps.map(\.name))
        #expect(steps.count == StoryForm.steps.count)
        for form in StoryForm.steps {
            let members = form.all.dropFirst().map(\.name)
            #expect(steps.isDisjoint(with: members), "\(form.name)")
            #expect(Set(members).count == members.count, "\(form.name)")
        }
    }

    @Test("Every example is a story without errors")
    func examples() throws {
        let folder = Self.root.appending(path: "Examples/stories")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }
        #expect(names.count >= 4)
        for name in names {
            let story = try StoryReader.read(file: folder.appending(path: name).path)
            #expect(!story.steps.isEmpty, "\(name)")
        }
    }
}
