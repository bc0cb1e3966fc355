import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP

extension MerchantConsole {
    /// What a campaign says, as it is read.
    var campaignTextPages: [Endpoint<MerchantSite>] { [campaignTexts, campaignMail] }

    private typealias Words = MerchantWords.Campaigns

    private var campaignTexts: Endpoint<MerchantSite> {
        page("campaigns/{app}/{name}/texts", "campaignTexts") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let path = MerchantVisit.textsPath(app, name)
            let texts = try await visit.desk.get(path).list("texts")
            var blocks: [any PageBlock] = texts.isEmpty ? [Prose(Words.noTexts)] : []
            for (place, one) in texts.enumerated() {
                blocks.append(try visit.textSection(one, place, app, name))
            }
            blocks.append(visit.same(MerchantCall(Words.texts, .get, path, command: nil)))
            var page = Page(
                Words.texts, lead: Words.textsLead, trail: visit.campaignTrail(app, name), blocks)
            page.isFraming = true
            return page
        }
    }

    /// A mail alone, to be shown within the page and shut off from it.
    private var campaignMail: Endpoint<MerchantSite> {
        document("campaigns/{app}/{name}/texts/{place}", "campaignMail") { visit in
            let (app, name) = (try visit.part("app"), try visit.part("name"))
            let texts = try await visit.desk.get(MerchantVisit.textsPath(app, name)).list("texts")
            guard let place = Int(try visit.part("place")), texts.indices.contains(place),
                try texts[place].text("channel") == "mail"
            else { throw ErrorBody.unknownPage }
            return .framed(
                html: MerchantMail(
                    subject: texts[place].value["title"]?.string ?? "",
                    text: texts[place].value["body"]?.string ?? "",
                    language: texts[place].value["locale"]?.string
                ).html)
        }
    }
}

extension MerchantVisit {
    fileprivate static func textsPath(_ app: String, _ name: String) -> StorePath {
        StorePath("v1", "apps", app, "campaigns", name, "texts")
    }

    fileprivate func textSection(
        _ one: Answer, _ place: Int, _ app: String, _ name: String
    ) throws -> PageSection {
        typealias Words = MerchantWords.Campaigns
        let channel = try one.text("channel")
        let language = one.optionalText("locale") ?? Words.everyLanguage
        let title = try one.text("title")
        var blocks: [any PageBlock] = [
            Facts([
                (Words.from, one.optionalText("from").map { Cell($0) }),
                (Words.subject, Cell(title)),
                (Words.opens, one.optionalText("url").map { .code($0) }),
            ])
        ]
        if channel == "mail" {
            blocks.append(
                FramedDocument(
                    title, source: MerchantPath.campaign(app, name, "texts", String(place))))
        } else {
            blocks.append(Prose(try one.text("body")))
        }
        return PageSection(
            Words.textOf(channel, language), id: "text-\(place)", blocks)
    }
}
