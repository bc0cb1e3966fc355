import AppStoreSigning
import AppStoreWire

/// Texts that are the store's and not for whoever receives them (JWS-2, step 8).
extension ForgeryKind {
    static func identities(of about: ForgerySubject) -> [ForgeryKind] {
        guard about.isVerifiedByApple else { return [] }
        var kinds = environments(of: about)
        if about != .renewalInfo { kinds += bundles(of: about) }
        if about == .notification || about == .appTransaction { kinds += appleIDs(of: about) }
        if about == .transaction { kinds += others }
        if about == .notification {
            kinds.append(
                ForgeryKind(
                    about, "repeated",
                    "It was sent before: the store repeats what was not answered.",
                    .accepted,
                    lookAt: "`notificationUUID` was seen before: answer 200 and do nothing again."
                ) { bench in
                    let text = try bench.genuine.text()
                    return ForgedText(text, after: text)
                })
        }
        return kinds
    }

    private static func environments(of about: ForgerySubject) -> [ForgeryKind] {
        func environment(
            _ fault: String, _ why: String,
            _ value: @escaping @Sendable (Environment) -> Environment
        ) -> ForgeryKind {
            ForgeryKind(
                about, fault, why, .signedData(.wrongEnvironment), apple: .invalidEnvironment
            ) { bench in
                try bench.identity {
                    let name = about == .appTransaction ? "receiptType" : "environment"
                    $0.set(name, value(bench.material.transaction.environment).rawValue)
                }
            }
        }
        return [
            environment("wrong-environment", "It is of the other environment.") {
                $0 == .production ? .sandbox : .production
            },
            environment(
                "environment-xcode",
                "It says that it comes from Xcode, whose texts verifiers do not check when told so."
            ) { _ in .xcode },
        ]
    }

    private static func bundles(of about: ForgerySubject) -> [ForgeryKind] {
        func bundle(
            _ fault: String, _ why: String, _ value: @escaping @Sendable (String) -> String
        ) -> ForgeryKind {
            ForgeryKind(about, fault, why, .signedData(.wrongBundle), apple: .invalidAppIdentifier)
            {
                bench in
                try bench.identity {
                    $0.set("bundleId", value(bench.material.transaction.bundleId))
                }
            }
        }
        return [
            bundle("wrong-bundle", "It is of another app of another developer.") { _ in
                Workbench.otherBundleID
            },
            bundle(
                "bundle-longer", "Its bundle id begins as the right one does, and goes on."
            ) { $0 + ".evil" },
        ]
    }

    private static func appleIDs(of about: ForgerySubject) -> [ForgeryKind] {
        func appleID(
            _ fault: String, _ why: String, _ change: @escaping @Sendable (inout RawObject) -> Void
        ) -> ForgeryKind {
            ForgeryKind(
                about, fault, why, .signedData(.wrongAppAppleID), apple: .invalidAppIdentifier,
                onlyIn: .production
            ) { try $0.identity(change) }
        }
        return [
            appleID("wrong-app-apple-id", "The bundle is right, the app's Apple id another one's.")
            {
                $0.set("appAppleId", raw: "1")
            },
            appleID("app-apple-id-missing", "It names no Apple id, as only Sandbox may.") {
                $0.remove("appAppleId")
            },
        ]
    }

    /// Transactions that are right and prove nothing for who shows them.
    private static let others = [
        ForgeryKind(
            .transaction, "of-another-customer",
            "A genuine transaction of somebody else, who bought in the same app.", .accepted,
            lookAt: "`appAccountToken`, and whose `originalTransactionId` or `appTransactionId` "
                + "it is: it must belong to the account that shows it, and to no second one."
        ) { bench in
            guard let other = bench.material.ofOther else {
                throw ForgeryImpossible.noOtherCustomer
            }
            return try bench.text { $0.payload = other.jsonBytes() }
        },
        ForgeryKind(
            .transaction, "replayed",
            "The transaction as it was signed when it was bought, shown again: since then it may "
                + "have been refunded, replaced or over.", .accepted,
            lookAt: "`signedDate` is older than what is known of this `transactionId`: what was "
                + "signed last counts, and the App Store Server API says how it stands now."
        ) { bench in
            let current = try bench.genuine.text()
            let payload = bench.earlierTransaction.jsonBytes()
            return ForgedText(try bench.text { $0.payload = payload }.text, after: current)
        },
    ]
}

extension Workbench {
    /// The genuine text with other members that say whose it is: a notification has them in `data`.
    func identity(_ change: (inout RawObject) -> Void) throws -> ForgedText {
        try members { members in
            if subject == .notification { members.change("data", change) } else { change(&members) }
        }
    }
}
