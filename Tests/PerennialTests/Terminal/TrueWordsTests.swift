import AppStoreWire
import Testing

@testable import perennial

@Suite("What commands say they did")
struct TrueWordsTests {
    private let bed = "com.example.garden.windowbox.monthly"
    private let estate = "com.example.garden.estate.monthly"
    private let seeds = "com.example.garden.seeds.100"

    private func newest(of account: String, _ program: Program) async throws -> String {
        let status = try await program.run("status", account, "--json")
        return try #require(
            status.json?["subscriptions"]?.array?.first?["transactionId"]?.string)
    }

    @Test("A payment that comes again gives access back for the newest transaction alone")
    func access() async throws {
        try await withGarden { program in
            for (account, take, give) in [
                ("anna", "refunds issue --transaction ID", "refunds reverse --transaction ID"),
                ("ben", "bills answer ID reversed", "bills answer ID restored"),
            ] {
                var ids: [String] = []
                for _ in 1...2 {
                    try await expect(program, "buy \(estate) --account \(account)", says: "bought")
                    ids.append(try await newest(of: account, program))
                    try await expect(program, take.replacing("ID", with: ids.last ?? ""), says: "")
                }
                #expect(Set(ids).count == 2)
                try await expect(
                    program, give.replacing("ID", with: ids[0]),
                    says: "access is not back: it goes by the newest transaction, \(ids[1]), which",
                    "`perennial \(give.replacing("ID", with: ids[1]))`")
                let status = try await program.run("status", account, "--json")
                #expect(
                    status.json?["subscriptions"]?.array?.first?["entitled"] == .bool(false))
                try await expect(
                    program, give.replacing("ID", with: ids[1]),
                    says: "access is back until 2026-02-28 00:00, and renewal stays off")
                try await expect(program, take.replacing("ID", with: ids[0]), says: "")
                try await expect(
                    program, give.replacing("ID", with: ids[0]),
                    says: "access goes by the newest transaction, \(ids[1]), as before")
            }
            try await expect(
                program, "refunds reverse --help",
                says: "Access goes by the newest transaction")
        }
    }

    @Test("A higher price is said to reach those who are on their way to the one of before")
    func reach() async throws {
        try await withGarden { program in
            try await expect(
                program, "buy \(estate) --account anna --storefront FRA", says: "9.99 EUR")
            try await expect(
                program, "price schedule \(estate) FRA 12.99 --existing apply",
                says: "whoever pays 9.99 EUR or is on the way to it pays it too, told or asked")
            try await expect(
                program, "price schedule \(estate) FRA 12.99 --existing preserve",
                says: "nothing changes")
            try await expect(
                program,
                "price schedule \(estate) FRA 14.99 --existing preserve --start 2026-03-01",
                says: "keep what they pay, and increases that are on their way go on")
            try await expect(
                program, "price schedule \(estate) FRA 13.99 --existing apply",
                says: "whoever pays 12.99 EUR or is on the way to it pays it too, told or asked")
            try await expect(
                program, "price cohorts \(estate)",
                says: "9.99 EUR            1  all with a higher price on its way")
            try await expect(
                program, "price changes",
                says: "13.99 EUR  new purchases, who pays or is to pay 12.99 EUR  done ")
            try await expect(program, "status anna", says: "13.99 EUR from")
        }
    }

    @Test("Who pays more than a price that rises is said to pay it too, and does")
    func above() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "9.99 USD")
            try await expect(program, "price set \(estate) USA 4.99", says: "4.99 USD")
            try await expect(
                program, "price schedule \(estate) USA 7.99 --existing preserve",
                says: "subscribers keep what they pay; whoever pays more pays it instead")
            try await expect(
                program, "price cohorts \(estate)",
                says: "7.99 USD            1  list price")
            try await expect(
                program, "price changes", says: "7.99 USD  new purchases, who paid or was to")
        }
    }

    @Test("Cohorts are counted in both environments, or in Sandbox alone")
    func cohorts() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            for account in ["sue", "tom"] {
                try await expect(
                    program, "buy \(estate) --account \(account) --sandbox", says: "bought")
            }
            try await expect(program, "buy \(bed) --account ben", says: "bought")
            try await expect(
                program, "price cohorts \(estate)",
                says: "9.99 USD            3  list price, 2 in Sandbox\n")
            try await expect(
                program, "price cohorts \(estate) --sandbox",
                says: "9.99 USD            2  list price\n")
            try await expect(
                program, "price cohorts \(bed) --sandbox",
                says: "nobody subscribes to it in Sandbox\n")
        }
    }

    @Test("A request for an extension that was made before is said to have been")
    func repeated() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "buy \(bed) --account ben", says: "bought")
            let name = "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"
            let order =
                "extensions grant-all \(estate) --days 7 --storefront USA --request-identifier "
                + "\(name) "
                + "--watch"
            let first = try await program.run(order.split(separator: " ").map(String.init))
            #expect(first.code == 0 && !first.output.contains("before"), "\(first.output)")
            try await expect(
                program, order,
                says: "this request was made before, 2026-01-31 00:00, and nothing new was done",
                "7 days for 1 subscription, 0 failed")
            let before = try await program.run("status", "ben", "--json").output
            for other in [
                "extensions grant-all \(bed) --days 20",
                "extensions grant-all \(estate) --days 8 --storefront USA",
                "extensions grant-all \(estate) --days 7",
                "extensions grant-all \(estate) --days 7 --storefront USA --reason other",
            ] {
                try await expect(
                    program, "\(other) --request-identifier \(name) --watch",
                    isRefusedWith: "The request \(name) was used before, 2026-01-31 00:00, for "
                        + "\(estate) in USA: 7 days, reason undeclared. Nothing new was done.",
                    "[requestIdentifierUsed")
            }
            #expect(try await program.run("status", "ben", "--json").output == before)
            let extend = "extensions grant ben --days 3 --request-identifier once"
            try await expect(program, extend, says: "paid until 2026-03-03 00:00 now")
            try await expect(
                program, extend + "0", says: "paid until")
            try await expect(
                program, "extensions grant ben --days 9 --request-identifier once",
                says: "the request once was used before", "2026-03-03 00:00; nothing new was done")
        }
    }

    @Test("What is so already is said to be, and nothing changes")
    func already() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            let first = try await program.run("renewal", "anna", "off")
            #expect(first.output.contains("does not renew") && !first.output.contains("already"))
            try await expect(
                program, "renewal anna off", says: "renewal was off already, nothing changes\n",
                "does not renew")
            let off = try await program.run("renewal", "anna", "off", "--json")
            #expect(off.json?["changed"] == .bool(false))
            let on = try await program.run("renewal", "anna", "on", "--json")
            #expect(on.json?["changed"] == .bool(true))
            try await expect(program, "renewal anna on", says: "renewal was on already")
            let chosen = try await program.run("plan", "anna", bed)
            #expect(chosen.output.contains("renews as \(bed)"))
            #expect(!chosen.output.contains("already"), "\(chosen.output)")
            for command in ["plan anna \(bed)", "buy \(bed) --account anna"] {
                try await expect(
                    program, command, says: "; it was chosen already, nothing changes")
                let json = try await program.run(
                    (command + " --json").split(separator: " ").map(String.init)
                )
                #expect(json.json?["changed"] == .bool(false), "\(json.output)")
            }
            // At another price it is another choice.
            try await expect(
                program, "price schedule \(bed) USA 3.99 --existing apply", says: "3.99")
            let dearer = try await program.run("plan", "anna", bed, "--json")
            #expect(dearer.json?["changed"] == .bool(true), "\(dearer.output)")
            let timeline = try await program.run("timeline", "anna", "--all").output
            #expect(timeline.contains("price of windowbox.monthly rises to 3.99 USD"))
            #expect(timeline.contains("its first period costs 2.99 USD"))
            #expect(timeline.ranges(of: "chose windowbox.monthly again").count == 5)
            #expect(timeline.contains("for 3.99 USD now"), "\(timeline)")
        }
    }

    @Test("A rise of a plan that is left before is told as one that does not come")
    func overtaken() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "plan anna \(bed)", says: "renews as")
            try await expect(
                program, "price schedule \(estate) USA 12.99 --existing apply", says: "12.99"
            )
            let timeline = try await program.run("timeline", "anna")
            #expect(timeline.output.contains("price rises to 12.99 USD"), "\(timeline.output)")
            #expect(
                timeline.output.contains("not charged, since windowbox.monthly begins before"))
            let json = try await program.run("timeline", "anna", "--json")
            let rise = json.json?["entries"]?.array?.first {
                $0["event"]?.string == "priceWasChanged"
            }
            #expect(rise?["newPriceFrom"] == nil && rise?["pricedProductId"] == nil)
        }
    }

    @Test("What `expire` has ended is not said to be ended by its refund")
    func endedBefore() async throws {
        try await withGarden { program in
            try await expect(program, "buy \(estate) --account anna", says: "bought")
            try await expect(program, "subscription expire anna", says: "expired")
            let refund = try await program.run("refunds", "issue", "anna")
            #expect(refund.code == 0 && refund.output.contains("9.99 USD given back"))
            #expect(!refund.output.contains("ended"), "\(refund.output)")
            try await expect(program, "advance P1D", says: "2026-02-01")
            try await expect(
                program, "refunds reverse anna",
                says: "the subscription stays over: its period ended 2026-01-31 00:00")
        }
    }

    @Test("JSON of `status` has what is open, as its text has")
    func open() async throws {
        try await withGarden { program in
            try await expect(program, "app set --refund-policy manual", says: "manual")
            try await expect(program, "buy \(bed) --account anna", says: "bought")
            try await expect(program, "buy \(seeds) --account anna", says: "bought")
            let plain = try await program.run("status", "anna", "--json")
            for list in ["bills", "refundRequests", "priceChanges"] {
                #expect(plain.json?[list] == .array([]), "\(plain.output)")
            }
            let id = try await newest(of: "anna", program)
            let coins = try #require(
                plain.json?["purchases"]?.array?.first?["transactionId"]?.string)
            for one in [id, coins] {
                try await expect(
                    program, "refunds request anna --transaction \(one)",
                    says: "`perennial refunds grant ", " or `perennial refunds decline ")
            }
            try await expect(
                program,
                "price schedule \(bed) USA 5.99 --existing apply --start 2026-03-10",
                says: "5.99 USD")
            try await expect(program, "pay anna later", says: "pending")
            try await expect(program, "buy \(seeds) --account anna", says: "asked for")
            let text = try await program.run("status", "anna").output
            let json = try await program.run("status", "anna", "--json").json
            let bills = try #require(json?["bills"]?.array)
            let bill = try #require(bills.first?["id"]?.string)
            #expect(bills.count == 1 && text.contains("bill \(bill) of "))
            let requests = json?["refundRequests"]?.array ?? []
            #expect(Set(requests.map { $0["transactionId"]?.string }) == [id, coins])
            for one in [id, coins] { #expect(text.contains("of transaction \(one) is open")) }
            let changes = json?["priceChanges"]?.array ?? []
            #expect(changes.map { $0["price"]?.integer } == [5_990])
            #expect(text.contains("5.99 USD is scheduled"))
            let one = try await program.run("status", id, "--json").json
            #expect(one?["refundRequests"]?.array?.count == 1)
            #expect(one?["priceChanges"]?.array?.count == 1)
            #expect(one?["bills"] == .array([]))
        }
    }
}
