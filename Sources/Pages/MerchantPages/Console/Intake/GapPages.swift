import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// What looks for what was missed have found, and looking now.
    var gapPages: [Endpoint<MerchantSite>] { [gaps, healGaps, testNotifications] }

    private typealias Words = MerchantWords.Gaps

    private var gaps: Endpoint<MerchantSite> {
        page("gaps", "gaps") { visit in
            let path = StorePath("v1", "operator", "gaps")
            let answer = try await visit.desk.get(path)
            return Page(
                Words.title, lead: Words.lead,
                [
                    try visit.gapTable(answer),
                    PageForm(
                        .change, action: MerchantPath.gaps("heal"), button: Words.heal,
                        about: Words.healAbout, hidden: [MerchantForm.hidden()],
                        fields: [
                            Field(
                                "since", Words.since, in: "heal",
                                value: visit.asked("since") ?? "", hint: Words.sinceHint)
                        ]),
                    PageForm(
                        .change, action: MerchantPath.gaps("test"), button: Words.test,
                        about: Words.testAbout, hidden: [MerchantForm.hidden()]),
                    visit.same(
                        MerchantCall(Words.title, .get, path, command: ["merchant", "gaps"]),
                        MerchantCall(
                            Words.heal, .post, StorePath("v1", "operator", "gaps", "heal"),
                            body: "{}", command: ["merchant", "gaps", "--heal"]),
                        MerchantCall(
                            Words.test, .post, StorePath("v1", "operator", "gaps", "test"),
                            command: ["merchant", "gaps", "--test"])),
                ])
        }
    }

    private var healGaps: Endpoint<MerchantSite> {
        action("gaps/heal", "healGaps") { visit, form in
            _ = try await visit.desk.send(
                .post, StorePath("v1", "operator", "gaps", "heal")
            ) { json in
                json.field("since", form.text("since"))
            }
            return MerchantPath.gaps()
        }
    }

    private var testNotifications: Endpoint<MerchantSite> {
        action("gaps/test", "testNotifications") { visit, _ in
            _ = try await visit.desk.send(.post, StorePath("v1", "operator", "gaps", "test"))
            return MerchantPath.gaps()
        }
    }
}
