import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// The family in two voices: its organiser's, and a member's, who sees what is shared and by
    /// whom, and manages none of it (HIG-59, FAM-P1).
    var familyPages: [Endpoint<StoreSite>] {
        [
            page("family", "family") { visit in try await visit.familyPage() },
            action(
                "family/settings", "familySettings",
                on: { visit in try await visit.familyPage() }
            ) { visit, form in try await visit.setFamily(form) },
            action(
                "family/sharing/{id}", "setSharing",
                on: { visit in try await visit.familyPage() }
            ) { visit, form in try await visit.setSharing(form) },
            page("family/leave", "leavePage") { visit in try await visit.leavePage() },
            action(
                "family/leave", "leaveFamily", on: { visit in try await visit.leavePage() }
            ) { visit, _ in
                _ = try await visit.desk.send(.delete, StorePath("storefront", "v1", "family"))
                return AccountPath.family
            },
        ]
    }
}

extension Visit {
    fileprivate func familyPage() async throws -> Page {
        let household = try await Household(self)
        let shelf = try await Shelf(self)
        var blocks: [any PageBlock] = []
        if household.members.isEmpty {
            blocks.append(Prose(words.noFamily))
        } else {
            if household.isOrganisers {
                blocks += try await requestBlocks(household, shelf)
            } else {
                blocks.append(receivedSection(household, shelf))
            }
            blocks.append(try await memberSection(household))
        }
        blocks += boughtSections(household, shelf)
        if household.isOrganisers, !household.received.isEmpty {
            blocks.append(receivedSection(household, shelf))
        }
        blocks.append(settingsSection(household))
        if !household.members.isEmpty {
            blocks.append(
                LinkList([PageLink(words.leaveFamily, AccountPath.below("family", "leave"))]))
        }
        return Page(words.family, lead: lead(of: household), blocks)
    }

    private func lead(of household: Household) -> String? {
        if household.isOrganisers { return words.organiserLead }
        return household.organiser.map { words.memberLead($0) }
    }

    /// Who is in it; for the organiser with Ask to Buy of each, and the button that sets it.
    private func memberSection(_ household: Household) async throws -> PageSection {
        var asking: [String: Bool] = [:]
        if household.isOrganisers {
            for member in household.others {
                asking[member.account] = try await asksToBuy(member.account)
            }
        }
        let rows = household.members.map { member in
            let isOther = household.others.contains { $0.account == member.account }
            let asks = asking[member.account]
            return DataTable.Row([
                Cell(member.account, detail: isOther ? nil : words.you),
                Cell(member.isOrganiser ? words.organiser : words.member),
                dayCell(member.joined),
                Cell(asks.map { $0 ? words.switchedOn : words.switchedOff } ?? ""),
            ])
        }
        var blocks: [any PageBlock] = [
            DataTable(
                words.members,
                columns: [words.member, words.state, words.joined, words.askToBuy], rows: rows,
                empty: words.nobody)
        ]
        for (place, member) in household.others.enumerated() {
            guard let asks = asking[member.account] else { continue }
            blocks.append(
                PageForm(
                    .aside, action: AccountPath.below("family", "asking", member.account),
                    button: asks ? words.turnOff : words.turnOn, id: "asking-\(place)",
                    about: words.askToBuyFor(member.account),
                    hidden: [FormID.hidden(), .init("asks", asks ? "false" : "true")]))
        }
        return PageSection(words.members, id: "members", blocks)
    }

    /// What the customer bought: whether it is shared, with whom, and the button that says so.
    private func boughtSections(
        _ household: Household, _ shelf: Shelf
    ) -> [any PageBlock] {
        household.bought.map { one -> any PageBlock in
            let name = shelf.name(one.productID)
            let holders = one.holders.joined(separator: ", ")
            return PageSection(
                name, id: "shared-\(one.id)",
                about: one.isShared ? nil : words.sharingIsOff(name), isLandmark: false,
                [
                    Facts([
                        (words.youShare, Cell(one.isShared ? words.switchedOn : words.switchedOff)),
                        (words.sharedWith, Cell(holders.isEmpty ? words.nobody : holders)),
                    ]),
                    PageForm(
                        .aside, action: AccountPath.below("family", "sharing", one.id),
                        button: one.isShared ? words.stopSharing : words.share,
                        hidden: [
                            FormID.hidden(), .init("sharing", one.isShared ? "off" : "on"),
                        ]),
                ])
        }
    }

    /// What others share, and who pays for it; nothing here cancels or manages it.
    private func receivedSection(_ household: Household, _ shelf: Shelf) -> PageSection {
        var blocks: [any PageBlock] = []
        for one in household.received {
            blocks.append(Notice(.good, words.familyIncludes(shelf.name(one.productID))))
            blocks.append(Prose(words.paysForIt(one.purchaser)))
        }
        if blocks.isEmpty { blocks.append(Prose(words.nothingShared)) }
        return PageSection(words.sharedWithYou, id: "received", blocks)
    }

    private func settingsSection(_ household: Household) -> PageSection {
        PageSection(
            words.settings, id: "settings",
            [
                PageForm(
                    .change, action: AccountPath.below("family", "settings"),
                    button: words.save, hidden: [FormID.hidden()],
                    fields: [
                        Field(
                            "shares", words.shareNew, .checkbox, in: "family",
                            value: household.sharesNewPurchases ? "true" : "false"),
                        Field(
                            "hears", words.tellMe, .checkbox, in: "family",
                            value: household.hearsOfSharing ? "true" : "false"),
                    ])
            ])
    }

    fileprivate func setFamily(_ form: FormInput) async throws -> String {
        _ = try await desk.send(.patch, StorePath("storefront", "v1", "family")) { json in
            json.field("sharesNewPurchases", form.isTicked("shares"))
            json.field("hearsOfSharing", form.isTicked("hears"))
        }
        return AccountPath.family
    }

    fileprivate func setSharing(_ form: FormInput) async throws -> String {
        let id = try part("id")
        let sharing = form["sharing"] == "on" ? "on" : "off"
        _ = try await desk.send(
            .put, StorePath("storefront", "v1", "transactions", id, "sharing")
        ) { $0.field("sharing", sharing) }
        return DoneWord.added("familySettings", to: AccountPath.family)
    }

    /// What is lost, before it is.
    fileprivate func leavePage() async throws -> Page {
        let household = try await Household(self)
        guard !household.members.isEmpty else {
            throw ErrorBody(.conflict, "notInFamily", "The customer is in no family.")
        }
        var blocks: [any PageBlock] = [Prose(words.leaveAbout)]
        if household.isOrganisers { blocks.append(Notice(.attention, words.endAbout)) }
        blocks.append(
            PageForm(
                .danger, action: AccountPath.below("family", "leave"),
                button: words.leaveFamily, hidden: [FormID.hidden()],
                way: PageLink(words.notNow, AccountPath.family)))
        return Page(
            words.leaveFamily, trail: [PageLink(words.family, AccountPath.family)], blocks)
    }
}
