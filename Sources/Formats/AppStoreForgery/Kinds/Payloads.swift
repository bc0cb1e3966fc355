import AppStoreSigning
import AppStoreWire

/// Payloads that are rightly signed and not what they should be.
extension ForgeryKind {
    static func payloads(of about: ForgerySubject) -> [ForgeryKind] {
        let answer = about.wrongPayload
        let kinds = [
            ForgeryKind(about, "payload-not-json", "The payload is no JSON.", answer) { bench in
                try bench.text { $0.payload = Array("all is well".utf8) }
            },
            ForgeryKind(
                about, "payload-array", "The payload is an array with the right object in it.",
                answer
            ) { bench in
                try bench.text { $0.payload = [0x5B] + $0.payload + [0x5D] }
            },
            ForgeryKind(
                about, "payload-duplicated-member",
                "A member stands twice with different values: readers differ in which they take.",
                answer, apple: .ok,
                difference: "Python keeps the last of two members of a name without a word."
            ) { bench in
                try bench.members { members in
                    let name = bench.tempting.name
                    guard let place = members.members.firstIndex(where: { $0.name == name }) else {
                        return members.add(name, raw: bench.tempting.value)
                    }
                    // The wrong one first, so that who keeps the last finds nothing amiss.
                    members.members.insert((name, Array(bench.tempting.value.utf8)), at: place)
                }
            },
            ForgeryKind(
                about, "payload-duplicated-deep",
                "A member of an object within the payload stands twice.", answer, apple: .ok,
                difference: "Python keeps the last of two members of a name without a word."
            ) { bench in
                try bench.members { members in
                    guard bench.subject == .notification else {
                        return members.add("addedLater", raw: #"{"one":1,"one":2}"#)
                    }
                    members.change("data") { data in
                        data.members.insert(
                            ("bundleId", Workbench.otherBundleID.jsonBytes()), at: 0)
                    }
                }
            },
            ForgeryKind(
                about, "payload-nested", "The payload is nested ten thousand deep.",
                about == .requestToken ? about.tooLarge : answer
            ) { bench in
                try bench.members { members in
                    members.add(
                        "addedLater",
                        raw: String(repeating: "[", count: 10_000)
                            + String(repeating: "]", count: 10_000))
                }
            },
        ]
        return about.isVerifiedByApple ? kinds + sorts(of: about) : kinds
    }

    /// Right texts of another sort, in the place of this one.
    private static func sorts(of about: ForgerySubject) -> [ForgeryKind] {
        let answer = about.wrongPayload
        switch about {
        case .renewalInfo:
            return [
                ForgeryKind(
                    about, "of-another-sort",
                    "A genuine transaction in the place of this.", answer, apple: .ok,
                    difference: "Apple's models need no member, and renewal information is "
                        + "compared by its environment only, which a transaction names too."
                ) { try $0.payload(of: .transaction) }
            ]
        case .transaction:
            return [
                ForgeryKind(
                    about, "of-another-sort",
                    "Genuine renewal information in the place of this.", answer,
                    apple: .invalidAppIdentifier
                ) { try $0.payload(of: .renewalInfo) }
            ]
        case .notification:
            return [
                ForgeryKind(
                    about, "of-another-sort",
                    "A genuine transaction in the place of this.", answer,
                    apple: .invalidAppIdentifier
                ) { try $0.payload(of: .transaction) },
                ForgeryKind(
                    about, "carrying-nothing",
                    "It has none of `data`, `summary`, `externalPurchaseToken` and `appData`.",
                    answer, apple: .invalidAppIdentifier
                ) { try $0.members { $0.remove("data") } },
            ] + insides
        case .appTransaction:
            return [
                ForgeryKind(
                    about, "of-another-sort",
                    "A genuine notification in the place of this.", answer,
                    apple: .invalidAppIdentifier
                ) { try $0.payload(of: .notification) }
            ]
        case .requestToken, .inAppRequest, .receipt: return []
        }
    }

    /// Notifications that are right outside and wrong inside.
    private static var insides: [ForgeryKind] {
        func inside(
            _ fault: String, _ why: String, _ member: String,
            _ forge: @escaping @Sendable (Workbench) throws -> String
        ) -> ForgeryKind {
            ForgeryKind(
                .notification, fault, why, .accepted,
                lookAt: "`\(member)` is signed by itself and has to be verified by itself, before "
                    + "anything of it is believed: its verification fails."
            ) { bench in
                let text = try forge(bench)
                return try bench.members { members in
                    members.change("data") { $0.set(member, text) }
                }
            }
        }
        return [
            inside(
                "inner-transaction-forged",
                "The notification is genuine; the transaction in it is signed by a stranger.",
                "signedTransactionInfo"
            ) { bench in
                try bench.inner(bench.material.transaction.jsonBytes()) {
                    $0.key = .p256(bench.stranger)
                }
            },
            inside(
                "inner-transaction-of-another-app",
                "The notification is genuine; the transaction in it is another app's.",
                "signedTransactionInfo"
            ) { bench in
                try bench.inner(bench.material.transaction.jsonBytes()) {
                    $0.members.set("bundleId", Workbench.otherBundleID)
                }
            },
            inside(
                "inner-renewal-info-forged",
                "The notification is genuine; the renewal information in it is signed by a "
                    + "stranger.", "signedRenewalInfo"
            ) { bench in
                guard let info = bench.material.renewalInfo else {
                    throw ForgeryImpossible.notASubscription
                }
                return try bench.inner(info.jsonBytes()) { $0.key = .p256(bench.stranger) }
            },
        ]
    }
}

extension Workbench {
    /// A genuine text of another sort.
    func payload(of other: ForgerySubject) throws -> ForgedText {
        let payload = try Self.payload(of: other, material, forger, nonces)
        return try text { $0.payload = payload }
    }

    /// A text signed by the store but for a change, for the inside of a notification.
    func inner(_ payload: [UInt8], _ change: (inout JWSDraft) -> Void) throws -> String {
        try Self.draft(payload, by: chain).with(change).text()
    }
}
