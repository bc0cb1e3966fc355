import StoreKitFile
import Testing

@Suite("What cannot be read is refused, with file, path and remedy")
struct RefusalTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let path: String
        let problem: String
        var testDescription: String { name }

        init(_ name: String, _ path: String, _ problem: String) {
            self.name = name
            self.path = path
            self.problem = problem
        }
    }

    static let cases = [
        Case(
            "apple-double", "$",
            "This is an AppleDouble side file, which macOS writes next to the real one."),
        Case("array", "$", "The file holds an array, not an object."),
        Case(
            "binary-property-list", "$",
            "This is a property list or other XML, not a StoreKit configuration file."),
        Case(
            "code-for-unknown-audience", first + ".codeOffers[0].eligibility[0]",
            "This is no group of customers."),
        Case(
            "consumable-in-group", first + ".type",
            "A Consumable cannot be in a subscription group."),
        Case("empty", "$", "The file is empty."),
        Case("folder-without-file", "$", "This is a folder without a file Configuration.storekit."),
        Case("group-lists-unknown", first, "\"nobody\" names no subscription among the products."),
        Case(
            "group-twice", "$.subscriptionGroups[1].id",
            "The group identifier \"9B0F11AA\" is also at $.subscriptionGroups[0].id."),
        Case(
            "group-without-name", "$.subscriptionGroups[0].id",
            "The group has neither an identifier nor a name."),
        Case("invalid-utf-8", "$", "The JSON breaks off at line 19, column 25"),
        Case(
            "level-is-text", first + ".groupNumber",
            "This is a string, not a whole number that fits here."),
        Case(
            "level-is-zero", first + ".groupNumber",
            "This is 0, not a whole number that fits here."),
        Case("member-twice", "$", "The JSON breaks off at line 10, column 7"),
        Case("merge-marks", "$", "The JSON breaks off at line 6, column 1"),
        Case("missing-comma", "$", "The JSON breaks off at line 3, column 3"),
        Case(
            "offer-longer-than-a-year", introductory + ".subscriptionPeriod",
            "The offer lasts P2Y, longer than a year."),
        Case(
            "offer-of-no-periods", introductory + ".numberOfPeriods",
            "This is 0, not a whole number that fits here."),
        Case(
            "offer-of-odd-length", introductory + ".subscriptionPeriod",
            "\"1 week\" is no length of an offer."),
        Case(
            "offer-of-thirteen-periods", introductory + ".numberOfPeriods",
            "This is 13, not a whole number that fits here."),
        Case(
            "offer-of-unknown-mode", introductory + ".paymentMode",
            "The payment mode \"barter\" is not known."),
        Case(
            "offer-price-with-comma", introductory + ".displayPrice",
            "The price \"1,99\" has a comma."),
        Case("offer-twice", first + ".adHocOffers[1]", "The offer \"a\" is also at"),
        Case("offer-without-id", first + ".adHocOffers[0].offerID", "The offer has no identifier."),
        Case(
            "offer-without-length", introductory + ".subscriptionPeriod",
            "The offer does not say how long it lasts."),
        Case(
            "offer-without-mode", introductory + ".paymentMode",
            "The offer does not say how it is paid."),
        Case("only-space", "$", "The file is empty."),
        Case("other-json", "$", "The object has none of the keys of a StoreKit configuration."),
        Case(
            "period-is-missing", first + ".recurringSubscriptionPeriod",
            "The subscription has no period."),
        Case(
            "period-of-five-months", first + ".recurringSubscriptionPeriod",
            "No subscription lasts \"P5M\"."),
        Case(
            "period-of-mixed", first + ".recurringSubscriptionPeriod",
            "No subscription lasts \"P1M1D\"."),
        Case(
            "period-of-words", first + ".recurringSubscriptionPeriod",
            "No subscription lasts \"monthly\"."),
        Case(
            "price-is-a-boolean", "$.products[0].displayPrice",
            "The price is a Boolean, not a decimal text."),
        Case(
            "price-is-a-fraction", "$.products[0].displayPrice",
            "The price is a number, not a decimal text."),
        Case("price-with-comma", "$.products[0].displayPrice", "The price \"4,99\" has a comma."),
        Case(
            "price-with-currency", "$.products[0].displayPrice",
            "The price \"$4.99\" is no plain decimal number."),
        Case(
            "price-with-four-decimals", "$.products[0].displayPrice",
            "The price \"4.9999\" has more than three decimals."),
        Case(
            "price-with-no-whole", "$.products[0].displayPrice",
            "The price \".99\" is no plain decimal number."),
        Case("price-with-sign", "$.products[0].displayPrice", "The price \"-4.99\" has a sign."),
        Case(
            "price-with-spaces", "$.products[0].displayPrice",
            "The price \" 4.99\" is no plain decimal number."),
        Case(
            "price-with-too-large", "$.products[0].displayPrice",
            "The price \"99999999999999999999\" is too large."),
        Case(
            "price-with-two-points", "$.products[0].displayPrice",
            "The price \"4.9.9\" is no plain decimal number."),
        Case(
            "product-and-subscription", first + ".productID",
            "The product identifier \"walks.monthly\" is also at $.products[0].productID."),
        Case(
            "product-id-is-a-number", "$.products[0].productID",
            "This is a number, not a string."),
        Case("product-is-a-string", "$.products[0]", "This is a string, not an object."),
        Case(
            "product-of-unknown-type", "$.products[0].type",
            "The product type \"Rental\" is not known."),
        Case(
            "product-twice", "$.products[1].productID",
            "The product identifier \"bench\" is also at $.products[0].productID."),
        Case("product-without-id", "$.products[0].productID", "The product identifier is missing."),
        Case("product-without-type", "$.products[0].type", "The product type is missing."),
        Case("products-are-an-object", "$.products", "This is an object, not an array."),
        Case(
            "property-list", "$",
            "This is a property list or other XML, not a StoreKit configuration file."),
        Case("settings-are-an-array", "$.settings", "This is an array, not an object."),
        Case(
            "sharing-is-text", "$.products[0].familyShareable",
            "This is a string, not a Boolean."),
        Case(
            "storefront-is-unknown", "$.settings._storefront",
            "The App Store has no storefront \"ATL\"."),
        Case(
            "subscription-in-two-groups", "$.subscriptionGroups[1].subscriptions[0]",
            "\"walks.monthly\" is already in the group \"9B0F11AA\"."),
        Case(
            "subscription-twice", "$.subscriptionGroups[0].subscriptions[1].productID",
            "The product identifier \"walks.monthly\" is also at"),
        Case(
            "subscription-without-group", "$.products[0].subscriptionGroupID",
            "The subscription \"walks.monthly\" is in no group."),
        Case("too-deep", "$", "The JSON breaks off at line 1, column 76"),
        Case("utf-16", "$", "The file is UTF-16 text."),
    ]

    @Test("Each broken file is refused for its one problem", arguments: cases)
    func refuses(_ broken: Case) throws {
        let error = try TestFiles.refusal("refused/\(broken.name).storekit")
        #expect(error.problems.map(\.path) == [broken.path])
        let problem = try #require(error.problems.first)
        #expect(problem.problem.hasPrefix(broken.problem))
        #expect(problem.file.hasPrefix("\(broken.name).storekit"))
        #expect(problem.problem.hasSuffix(".") && problem.remedy.hasSuffix("."))
        #expect(
            error.description
                == "\(problem.file) \(problem.path): \(problem.problem) \(problem.remedy)")
    }

    @Test("The table has every file of the folder")
    func complete() throws {
        let names = Self.cases.map(\.name) + ["many-problems"]
        #expect(try TestFiles.names(in: "refused") == names.sorted())
    }

    @Test("All problems of a file are named at once, one line each")
    func allProblems() throws {
        let error = try TestFiles.refusal("refused/many-problems.storekit")
        #expect(
            error.problems.map(\.path) == [
                "$.settings._storefront", "$.products[0].displayPrice", "$.products[1].type",
                first + ".recurringSubscriptionPeriod", first + ".groupNumber",
            ])
        #expect(error.description.split(separator: "\n").count == 5)
        #expect(!error.warnings.isEmpty)
    }

    @Test("A path that leads nowhere and a file over 16 MiB are refused")
    func unreadable() throws {
        let missing = try TestFiles.refusal("refused/nothing-here.storekit")
        #expect(missing.problems.map(\.problem) == ["There is no such file."])
        let large = [UInt8](repeating: 0x20, count: StoreKitFile.largestSize + 1)
        let error = #expect(throws: StoreKitFileError.self) {
            try StoreKitFile.read(bytes: large, name: "Large.storekit")
        }
        #expect(error?.problems.map(\.problem) == ["The file is larger than 16 MiB."])
    }

    @Test("A device that never ends is refused unread")
    func device() throws {
        let error = #expect(throws: StoreKitFileError.self) {
            try StoreKitFile.read(path: "/dev/zero")
        }
        #expect(error?.problems.map(\.problem) == ["This is no ordinary file."])
    }

    @Test("The private key of a file is neither stored nor shown")
    func secrets() throws {
        let secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQ="
        let text = String(
            decoding: try TestFiles.bytes("tolerated/signing-key.storekit"), as: UTF8.self)
        #expect(text.contains(secret))
        let file = try TestFiles.read("tolerated/signing-key.storekit")
        #expect(!String(reflecting: file).contains(secret))
        let error = try TestFiles.refusal("refused/many-problems.storekit")
        #expect(!String(reflecting: error).contains(secret))
        // Also where the key is in the wrong place, or the file breaks off inside it.
        let misplaced = text.replacing(
            "\"products\" : [", with: "\"products\" : \"\(secret)\", \"x\" : [")
        let broken = text.replacing(secret + "\"", with: secret)
        for wrong in [misplaced, broken] {
            let error = #expect(throws: StoreKitFileError.self) {
                try StoreKitFile.read(bytes: Array(wrong.utf8), name: "Key.storekit")
            }
            #expect(error.map { !String(reflecting: $0).contains(secret) } == true)
        }
    }

    @Test("Findings stay one line each, whatever the file has in its texts")
    func oneLine() throws {
        let nasty = #"{"products": [{"productID": "a\n\u001b[31m\u2028b", "type": "x\ny"}]}"#
        let error = #expect(throws: StoreKitFileError.self) {
            try StoreKitFile.read(bytes: Array(nasty.utf8), name: "A\nB.storekit")
        }
        let problems = try #require(error).problems
        #expect(problems.map(\.path) == ["$.products[0].type", "$.products[0].type"])
        let text = try #require(error).description
        #expect(text.split(whereSeparator: \.isNewline).count == problems.count)
        #expect(!text.unicodeScalars.contains("\u{1B}"))
    }
}
