import AppStoreWire
import SubscriptionRules

/// A subscription outside `subscriptionGroups`, as generated files write it: among `products`,
/// with `subscriptionPeriod` for `recurringSubscriptionPeriod` (SKF-11).
struct LooseSubscription {
    let node: Node
    let productID: String
    /// The group that lists it by a string.
    var listedBy: String?
}

extension CatalogueReader {
    /// Reads an entry of `subscriptionGroups` (SKF-5).
    mutating func readGroup(_ node: Node) {
        let name = findings.text("name", of: node) ?? ""
        guard let id = readGroupID(of: node, name: name) else { return }
        add(
            SubscriptionGroup(
                id: id, referenceName: name, localizations: readLocalizations(of: node)),
            at: node.path(of: "id"))
        let entries = findings.list("subscriptions", of: node)
        if entries.isEmpty { groupsWithoutEntries.append((id, node.path(of: "subscriptions"))) }
        for entry in entries {
            if let reference = entry.value.string {
                list(reference, in: id, at: entry.path)
            } else if findings.isObject(entry) {
                readSubscription(entry, groupID: id)
            }
        }
    }

    private mutating func readGroupID(of node: Node, name: String) -> String? {
        if let id = findings.filledText("id", of: node) { return id }
        guard !name.isEmpty else {
            findings.fail(
                node.path(of: "id"), "The group has neither an identifier nor a name.",
                remedy: "Write an \"id\".")
            return nil
        }
        findings.warn(
            node.path(of: "id"), "The group identifier is missing; its name is taken.",
            remedy: "Write an \"id\".")
        return name
    }

    /// Notes that a group lists a product by a string instead of holding it.
    private mutating func list(_ reference: String, in groupID: String, at path: String) {
        guard let index = loosePlaces[reference] else {
            findings.fail(
                path, "\(quoted(reference)) names no subscription among the products.",
                remedy: "Put the subscription itself here, as Xcode does.")
            return
        }
        if let other = looseSubscriptions[index].listedBy, other != groupID {
            findings.fail(
                path, "\(quoted(reference)) is already in the group \(quoted(other)).",
                remedy: "List it in one group.")
            return
        }
        looseSubscriptions[index].listedBy = groupID
        findings.warn(
            path,
            "\(quoted(reference)) refers to \(looseSubscriptions[index].node.path); read "
                + "as part of this group.",
            remedy: "Put the subscription itself here, as Xcode does.")
    }

    /// Keeps a subscription that stands outside the groups until these are known.
    mutating func keepLoose(_ node: Node, productID: String) {
        let index = looseSubscriptions.count
        looseSubscriptions.append(LooseSubscription(node: node, productID: productID))
        // Generated files list either identifier; of two entries the first is meant.
        for name in [productID, node.member("internalID")?.value.string] {
            if let name, loosePlaces[name] == nil { loosePlaces[name] = index }
        }
    }

    /// Puts the subscriptions that stand among the products into their groups.
    mutating func settleLooseSubscriptions() {
        for loose in looseSubscriptions {
            let path = loose.node.path
            // Only beside one that stands in a group: of two entries outside, neither is better.
            if let inGroup = self.path(ofProduct: loose.productID),
                inGroup.hasPrefix("$.subscriptionGroups["), loose.listedBy == nil
            {
                findings.warn(
                    path,
                    "The subscription \(quoted(loose.productID)) is also at \(inGroup), "
                        + "which counts; this entry is left out.",
                    remedy: "Take this entry out.")
                continue
            }
            guard
                let groupID = loose.listedBy
                    ?? findings.filledText("subscriptionGroupID", of: loose.node)
            else {
                findings.fail(
                    loose.node.path(of: "subscriptionGroupID"),
                    "The subscription \(quoted(loose.productID)) is in no group.",
                    remedy: "Put it into one of \"subscriptionGroups\".")
                continue
            }
            if loose.listedBy == nil {
                findings.warn(
                    path, "The subscription stands outside its group; put into \(quoted(groupID)).",
                    remedy: "Put it into that group, as Xcode does.")
            }
            if !hasGroup(groupID) {
                let groupPath = loose.node.path(of: "subscriptionGroupID")
                findings.warn(
                    groupPath, "The group \(quoted(groupID)) is not in the file; made.",
                    remedy: "Add it to \"subscriptionGroups\".")
                add(SubscriptionGroup(id: groupID, referenceName: groupID), at: groupPath)
            }
            readSubscription(loose.node, groupID: groupID, isLoose: true)
        }
    }

    /// Warns of groups that stayed empty once the subscriptions outside groups have joined theirs.
    mutating func noteEmptyGroups() {
        let filled = Set(products.compactMap { $0.subscription?.groupID })
        for (id, path) in groupsWithoutEntries where !filled.contains(id) {
            findings.warn(
                path, "The group has no subscriptions; kept empty.",
                remedy: "Add a subscription, or take the group out.")
        }
    }
}
