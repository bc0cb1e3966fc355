import Mustache

/// What something costs and how to get it. The total is the largest text of all prices, and what
/// explains it stands below in smaller letters.
package struct Offering: PageBlock {
    package let template = "offering"
    let total: String
    let hasDetails: Bool
    let details: [String]
    let act: PageLink?

    /// - Parameters:
    ///   - total: the whole amount that is charged, with its period.
    ///   - details: sentences about it, such as an offer before it.
    ///   - act: where it is bought; nil where it cannot be.
    package init(_ total: String, details: [String], act: PageLink?) {
        self.total = total
        self.details = details
        hasDetails = !details.isEmpty
        self.act = act
    }
}

extension Offering: MustacheParent {
    package func child(named key: String) -> Any? {
        switch key {
        case "template": template
        case "total": total
        case "hasDetails": hasDetails
        case "details": details
        case "act": act
        default: nil
        }
    }
}
