public import AppStoreWire
import SubscriptionRules

extension CatalogueReport: WireEncodable {
    /// Writes the report for programs: the same facts as the text, prices in milliunits.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("hasErrors", hasErrors)
            json.object("counts") { json in
                json.field("files", files.count)
                json.field("products", files.reduce(0) { $0 + $1.counts.products })
                json.field("warnings", files.reduce(0) { $0 + $1.warnings.count })
                json.field("errors", files.reduce(0) { $0 + $1.errors.count })
            }
            json.array("files") { json in
                for file in files { json.elementObject { file.encodeMembers(to: &$0) } }
            }
        }
    }
}

extension CatalogueReport.File {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        json.field("file", name)
        json.field("imported", errors.isEmpty)
        json.field("version", version.isEmpty ? nil : version)
        json.field("storefront", storefront?.code)
        json.field("storefrontAssumed", isStorefrontAssumed)
        json.field("currency", storefront?.currency.code)
        json.field("locale", locale)
        json.field("ignoredImages", imageCount)
        json.object("counts") { json in
            let counts = counts
            json.field("groups", counts.groups)
            json.field("products", counts.products)
            json.field("autoRenewableSubscriptions", counts.autoRenewableSubscriptions)
            json.field("nonRenewingSubscriptions", counts.nonRenewingSubscriptions)
            json.field("nonConsumables", counts.nonConsumables)
            json.field("consumables", counts.consumables)
            json.field("offers", counts.offers)
        }
        json.array("groups") { json in
            for group in catalogue.groups { json.elementObject { encode(group, to: &$0) } }
        }
        json.array("products") { json in
            for product in catalogue.products {
                json.elementObject { encode(product, to: &$0) }
            }
        }
        encode(catalogue.policies, to: &json)
        encode(errors, as: "errors", to: &json)
        encode(warnings, as: "warnings", to: &json)
        encode(advice, as: "advice", to: &json)
    }

    private func encode(_ group: SubscriptionGroup, to json: inout JSONWriter) {
        json.field("id", group.id)
        json.field("referenceName", group.referenceName)
        json.array("localizations") { json in
            for text in group.localizations {
                json.elementObject { json in
                    json.field("locale", text.locale)
                    json.field("displayName", text.displayName)
                }
            }
        }
    }

    private func encode(_ policies: AppPolicies, to json: inout JSONWriter) {
        json.field(
            "licenceAgreement",
            policies.licenceAgreement.isEmpty ? nil : policies.licenceAgreement)
        json.array("privacyPolicies") { json in
            for policy in policies.privacyPolicies {
                json.elementObject { json in
                    json.field("locale", policy.locale)
                    json.field("url", policy.url.isEmpty ? nil : policy.url)
                    json.field("text", policy.text.isEmpty ? nil : policy.text)
                }
            }
        }
    }

    private func encode(_ product: Product, to json: inout JSONWriter) {
        let price = product.price(in: storefront ?? .usa)
        json.field("id", product.id)
        json.field("type", product.type.rawValue)
        json.field("referenceName", product.referenceName)
        json.field("price", price.milliunits)
        json.field("currency", price.currency.code)
        json.field("isFamilyShareable", product.isFamilyShareable)
        guard let terms = product.subscription else { return }
        json.field("period", terms.period.iso8601)
        json.field("level", terms.level)
        json.field("groupId", terms.groupID)
        json.field("group", groupName(terms.groupID))
        json.array("offers") { json in
            for offer in terms.offers {
                json.elementObject { encode(offer, in: storefront ?? .usa, to: &$0) }
            }
        }
    }

    private func encode(_ offer: Offer, in storefront: Storefront, to json: inout JSONWriter) {
        json.field("type", offer.kind.rawValue)
        json.field("id", offer.id.isEmpty ? nil : offer.id)
        json.field("discountType", offer.mode.rawValue)
        json.field("period", offer.period.iso8601)
        json.field("periodCount", offer.periodCount)
        json.field("price", offer.price(in: storefront).milliunits)
        json.field("currency", storefront.currency.code)
        guard offer.kind == .offerCode else { return }
        json.field("eligibility", offer.audiences.map(\.rawValue))
        json.field("isStackable", offer.isStackable)
    }

    private func encode(
        _ findings: [Finding], as key: StaticString, to json: inout JSONWriter
    ) {
        json.array(key) { json in
            for finding in findings {
                json.elementObject { json in
                    json.field("file", finding.file)
                    json.field("path", finding.path)
                    json.field("problem", finding.problem)
                    json.field("remedy", finding.remedy)
                }
            }
        }
    }
}
