import AppStoreWire
import ArgumentParser
import ConnectAnswers

/// Who buys with a signed request.
struct BuyerOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The buyer.", valueName: "account"), transform: Reading.account)
    var account: String
}

/// What customers read of a subscription as a whole.
struct WordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Its name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Its description.", valueName: "text"))
    var description: String?

    /// Whether one of them is there.
    var areSaid: Bool { name != nil || description != nil }

    /// Whether both are there.
    var areComplete: Bool { name != nil && description != nil }

    var descriptors: AdvancedCommerceDescriptors {
        AdvancedCommerceDescriptors(displayName: name ?? "", description: description ?? "")
    }
}

/// How what is sold is taxed.
struct TaxOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A published tax code. (default: C003-00-1, for what is bought once C003-00-2; of "
                + "what there is, as it was)",
            valueName: "code"))
    var taxCode: String?

    /// For what begins: a subscription's.
    var ofSubscription: String { taxCode ?? "C003-00-1" }

    /// For what is bought once.
    var ofCharge: String { taxCode ?? "C003-00-2" }
}

/// Items that are sent, each as one text.
struct ItemOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An item in the form that is said above; repeat it for several.", valueName: "item"))
    var item: [String] = []

    var isEmpty: Bool { item.isEmpty }
}

/// Whether a refund may be looked at first.
struct RiskOption: ParsableArguments {
    @Option(
        help: """
            Apple's refundRiskingPreference: whether the store may ask for consumption data \
            before it decides.
            """)
    var risking = YesOrNo.yes

    var isTaken: Bool { risking == .yes }
}
