import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Testing
import Timeline

@testable import perennial

@Suite("Amounts, moments and styles")
struct TextTests {
    @Test(
        "An amount has its currency's decimals, more if need be, and is typed as it stands",
        arguments: [
            (9990, "USD", "9.99 USD"), (1_000_000, "JPY", "1000 JPY"), (0, "EUR", "0.00 EUR"),
            (-3380, "USD", "-3.38 USD"), (1_234_567_890, "EUR", "1234567.89 EUR"),
            (300_000, "JPY", "300 JPY"), (10_500, "JPY", "10.50 JPY"), (1995, "XYZ", "1.995 XYZ"),
        ] as [(Int64, String, String)])
    func amounts(milliunits: Int64, currency: String, text: String) {
        #expect(Money.plainText(milliunits, currency) == text)
    }

    @Test("The amounts of a column and a currency have as many decimals as need be")
    func column() {
        #expect(
            AmountText.column([(9_990, "USD"), (2_997, "USD"), (-1_000_000, "JPY")]) == [
                "9.990 USD", "2.997 USD", "-1000 JPY",
            ])
        #expect(AmountText.column([(9_990, "USD"), (10_000, "USD")]) == ["9.99 USD", "10.00 USD"])
        #expect(AmountText.column([(300_000, "JPY")]) == ["300 JPY"])
        // Where thousandths can be, they always stand there.
        #expect(AmountText.column([(300_000, "JPY")], places: 3) == ["300.000 JPY"])
        #expect(AmountText.column([]).isEmpty)
    }

    @Test(
        "A file's name is one word of a command line",
        arguments: [
            ("Garden.storekit", "Garden.storekit"), ("/a/b-c_d.storekit", "/a/b-c_d.storekit"),
            ("My Garden", "'My Garden'"), ("it's", "'it'\\''s'"), ("$(rm)", "'$(rm)'"),
            ("Gärten.storekit", "Gärten.storekit"), ("", "''"), ("-x", "'-x'"),
        ])
    func shellWords(text: String, word: String) {
        #expect(Remedies.word(text) == word)
    }

    @Test(
        "Moments are written to the minute, to the second where there are any, and read back",
        arguments: [
            ("2026-01-31T23:59:06.250Z", "2026-01-31 23:59:06"),
            ("2026-01-31T23:59:00Z", "2026-01-31 23:59"),
            ("2026-01-31T00:00:00.999Z", "2026-01-31 00:00"),
        ])
    func moments(wire: String, text: String) throws {
        #expect(Instant(iso8601: wire)!.plainText == text)
        for typed in [text, text + " UTC", text.replacing(" ", with: "T")] {
            #expect(try Reading.moment(typed).plainText == text)
        }
    }

    @Test("Commands that are named to whoever asked about Sandbox or an app are meant for it")
    func remedies() {
        for (text, meant) in [
            ("`perennial pay sb approve` pays.", "`perennial pay sb approve --sandbox` pays."),
            ("`perennial status a --sandbox`", "`perennial status a --sandbox`"),
            ("`perennial price set a USA 1`", "`perennial price set a USA 1`"),
            ("`perennial price list` lists", "`perennial price list --sandbox` lists"),
            ("no command", "no command"),
        ] { #expect(Remedies(areInSandbox: true).meant(text) == meant) }
        for (text, meant) in [
            ("`perennial pay sb approve`", "`perennial pay sb approve --bundle-id a.b`"),
            ("`perennial bills` lists", "`perennial bills --bundle-id a.b` lists"),
            ("`perennial buy x --bundle-id c`", "`perennial buy x --bundle-id c`"),
            ("`perennial refunds grant 7`", "`perennial refunds grant 7`"),
            ("`perennial customer list` lists", "`perennial customer list` lists"),
        ] {
            for arguments in [["buy", "--bundle-id", "a.b"], ["buy", "--bundle-id=a.b"]] {
                #expect(Remedies(to: arguments).meant(text) == meant)
            }
        }
        #expect(
            Remedies(to: ["buy", "--sandbox", "--", "--bundle-id", "a"])
                == Remedies(areInSandbox: true))
        let failure = Failure(.refused, "No.", remedy: "`perennial buy x --account a` begins it.")
        let begins = "`perennial buy x --account a --sandbox` begins it."
        #expect(Ending(failure, of: ["buy", "--sandbox"]).complaint.contains(begins))
        #expect(!Ending(failure, of: ["buy"]).complaint.contains("--sandbox"))
    }

    @Test(
        "A name that begins with a hyphen is no option of a command that is proposed",
        arguments: [
            ("buy p --account \(word: "-x")", "buy --account='-x' p"),
            ("pay \(word: "-x") approve", "pay -- '-x' approve"),
            ("pay \(word: "it's") approve", "pay 'it'\\''s' approve"),
            ("refunds reverse --transaction \(word: "-x")", "refunds reverse --transaction='-x'"),
            ("buy \(word: "-p") --account a --json", "buy --account a --json -- '-p'"),
            ("customer move \(word: "--json") USA", "customer move -- '--json' USA"),
            ("refunds issue --prorated \(word: "-5")", "refunds issue --prorated -- '-5'"),
            ("buy \(word: "-p") --account \(word: "-a b")", "buy --account='-a b' -- '-p'"),
        ] as [(String, String)])
    func hyphens(proposed: String, typed: String) {
        #expect(Remedies().meant("`perennial \(proposed)` helps.") == "`perennial \(typed)` helps.")
        let inSandbox = Remedies(areInSandbox: true).meant("`perennial status \(word: "-x")`")
        #expect(inSandbox == "`perennial status --sandbox -- '-x'`")
    }

    @Test(
        "A command line is proposed again with a number in the place of a name",
        arguments: [
            (["renewal", "anna", "off"], "renewal 7 off"),
            (["renewal", "--json", "anna", "off"], "renewal --json 7 off"),
            (["notify", "REFUND", "--subscription=anna"], "notify REFUND --subscription=7"),
            (["consent", "anna", "agree", "--url", "a b"], "consent 7 agree --url 'a b'"),
            (["refunds", "request", "anna", "--reason=legal"], "refunds request 7 --reason=legal"),
        ])
    func again(arguments: [String], command: String) {
        #expect(Remedies.again(arguments, naming: "7", for: "anna") == "`perennial \(command)`")
        // A verb is no name.
        #expect(
            Remedies.again(["renewal", "renewal", "off"], naming: "7", for: "renewal")
                == "`perennial renewal 7 off`")
    }

    @Test("Complaints and sentences are as wide as a terminal, tables stay as they are")
    func folded() {
        let failure = Failure.refused(Array(repeating: "word", count: 30).joined(separator: " "))
        let lines = Ending(failure, complaintWidth: 50).complaint.split(separator: "\n")
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 50 })
        #expect(Ending(failure).complaint.contains("\n") == false)
        let row = "a  b " + String(repeating: "c", count: 60)
        #expect(Folding.sentence(row, width: 50) == [row])
    }

    @Test(
        "What is nearly a moment is refused",
        arguments: ["2026-01-31 24:00", "2026-01-31  00:00", "2026-01-31 00:00Z", "00:00", ""])
    func noMoments(text: String) {
        #expect(throws: (any Error).self) { try Reading.moment(text) }
    }

    @Test(
        "A price that cannot be one is refused with what is wrong and the form that is taken",
        arguments: [
            ("9.999", "EUR", "has 3 decimals; prices in EUR have at most 2"),
            ("199.50", "NOK", "the App Store has no decimals in prices in NOK"),
            ("1000000000.01", "EUR", "The price is too large: write at most 1000000000.00 EUR"),
            ("1000000001", "JPY", "The price is too large: write at most 1000000000 JPY"),
            ("99999999999999999999", "USD", "write at most 1000000000.00 USD"),
            ("1,000", "USD", "has a comma"), ("9,99", "USD", "such as 9.99"),
            ("+3", "USD", "has a sign"), ("ten", "JPY", "such as 300"), (".5", "USD", "such as"),
        ] as [(String, String, String)])
    func prices(text: String, code: String, words: String) throws {
        let currency = try #require(Currency(code: code))
        let error = #expect(throws: ValidationError.self) { try Reading.price(text, currency) }
        let message = error?.message ?? ""
        #expect(message.contains("'\(text)' is no price in \(code)"), "\(message)")
        #expect(message.contains(words), "\(message)")
        #expect(try Reading.price("1000000000", currency) == 1_000_000_000_000)
    }

    @Test(
        "Colours need a terminal that wants them",
        arguments: [
            ([:], 80, true), ([:], nil, false), (["NO_COLOR": "1"], 80, false),
            (["NO_COLOR": ""], 80, true), (["TERM": "dumb"], 80, false),
        ] as [([String: String], Int?, Bool)])
    func colours(environment: [String: String], terminal: Int?, expected: Bool) {
        #expect(Style(environment: environment, terminal: terminal).hasColours == expected)
    }

    @Test(
        "Unicode is shown unless the locale asks for less",
        arguments: [
            ([:], false), (["LANG": "C"], true), (["LANG": "POSIX"], true),
            (["LANG": "C.UTF-8"], false), (["LANG": "de_DE.utf8"], false),
            (["LANG": "C", "LC_ALL": "en_US.UTF-8"], false), (["LANG": "de_DE.ISO8859-1"], true),
        ] as [([String: String], Bool)])
    func locales(environment: [String: String], isASCII: Bool) {
        #expect(Style(environment: environment, terminal: nil).isASCII == isASCII)
        #expect(Style(environment: environment, terminal: nil, wantsASCII: true).isASCII)
    }

    @Test(
        "The width is COLUMNS, else the terminal's, else 80, within limits",
        arguments: [
            ([:], nil, 80), ([:], 132, 132), (["COLUMNS": "100"], 132, 100), ([:], 10, 40),
            ([:], 400, 160), (["COLUMNS": "wide"], nil, 80),
        ] as [([String: String], Int?, Int)])
    func widths(environment: [String: String], terminal: Int?, columns: Int) {
        #expect(Style(environment: environment, terminal: terminal).columns == columns)
    }

    @Test("JSON for people has sorted members, a line each")
    func prettyJSON() throws {
        let json = #"{"b":[1,{"x":null}],"a":"\n\"","c":{},"d":[],"e":1.5,"f":true}"#
        #expect(
            try PrettyJSON.text(of: Array(json.utf8)) == """
                {
                  "a": "\\n\\"",
                  "b": [
                    1,
                    {
                      "x": null
                    }
                  ],
                  "c": {},
                  "d": [],
                  "e": 1.5,
                  "f": true
                }
                """)
    }

    @Test("Columns stand under one another, numbers to the right")
    func columns() {
        var table = Columns([("name", .left), ("n", .right), ("rest", .left)])
        table.add(["anna", "7", "x"])
        table.add(["b", "1000", ""])
        #expect(
            table.lines(Style()) == ["name     n  rest", "anna     7  x", "b     1000"])
    }

    @Test("What a store says cannot drive the terminal")
    func harmless() throws {
        let answer = Answer(
            value: .object(["account": .string("a\u{1B}[2Jb\u{202E}")]), source: "GET /x")
        #expect(try answer.text("account") == "a\u{FFFD}[2Jb\u{FFFD}")
        // What belongs to a name stays: a family of three, and a word in Devanagari.
        for name in ["👩‍👩‍👧 anna", "क्\u{200D}ष", "می\u{200C}خواهم", "❤️\u{200D}🔥"] {
            let answer = Answer(value: .object(["account": .string(name)]), source: "GET /x")
            let told = try answer.text("account")
            #expect(Array(told.unicodeScalars) == Array(name.unicodeScalars), "\(name)")
        }
    }

    @Test("A missing member is a sentence that names the request")
    func missing() {
        let answer = Answer(value: .object([:]), source: "GET /connect/v1/clock")
        let unusable = #expect(throws: UnusableAnswer.self) { try answer.moment("now") }
        #expect(unusable?.description.contains("GET /connect/v1/clock") == true)
        #expect(unusable?.description.contains("`now`") == true)
        let ending = unusable.map { Ending($0) }
        #expect(ending?.code == Failure.Code.refused.rawValue)
        #expect(ending?.complaint.contains("`now`") == true)
    }

    @Test("Paths and queries are percent-encoded")
    func paths() {
        let path = StorePath("connect", "v1", "customers", "anna & co/ä?").with("after", "1=2")
            .with("before", nil).with("limit", "5")
        #expect(
            path.text == "/connect/v1/customers/anna%20%26%20co%2F%C3%A4%3F?after=1%3D2&limit=5")
    }
}
