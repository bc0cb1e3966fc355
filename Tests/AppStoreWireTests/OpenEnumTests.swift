import AppStoreWire
import Testing

@Suite("Open enumerations and error codes")
struct OpenEnumTests {
    @Test("All published notification types have a row of allowed subtypes")
    func allTypes() {
        #expect(NotificationTypeV2.known.count == 23)
        #expect(Set(NotificationTypeV2.allowedSubtypes.keys) == Set(NotificationTypeV2.known))
    }

    @Test(
        "A pair of the table is allowed",
        arguments: [
            (.subscribed, .initialBuy), (.didRenew, nil), (.didRenew, .billingRecovery),
            (.expired, nil), (.expired, .productNotForSale), (.renewalExtension, .summary),
            (.offerRedeemed, .downgrade), (.test, nil), (.refund, nil),
            (.externalPurchaseToken, .activeTokenReminder),
        ] as [(NotificationTypeV2, Subtype?)])
    func allowed(type: NotificationTypeV2, subtype: Subtype?) {
        #expect(type.allows(subtype))
    }

    @Test(
        "Any other pair is not",
        arguments: [
            (.subscribed, nil), (.subscribed, .upgrade), (.didRenew, .initialBuy),
            (.test, .summary), (.refund, .voluntary), (.priceIncrease, nil),
            (.renewalExtension, nil), (.didChangeRenewalStatus, nil),
            (NotificationTypeV2(rawValue: "MIGRATE"), nil),
            (.expired, Subtype(rawValue: "SUCCESS")),
        ] as [(NotificationTypeV2, Subtype?)])
    func notAllowed(type: NotificationTypeV2, subtype: Subtype?) {
        #expect(!type.allows(subtype))
    }

    @Test("The spellings of Apple are exact")
    func spellings() {
        #expect(TransactionType.nonRenewingSubscription.rawValue == "Non-Renewing Subscription")
        #expect(ProductTypeFilter.nonRenewable.rawValue == "NON_RENEWABLE")
        #expect(PurchasePlatform.iOS.rawValue == "iOS")
        #expect(NotificationTypeV2.didChangeRenewalPref.rawValue == "DID_CHANGE_RENEWAL_PREF")
        #expect(Status.billingGracePeriod.rawValue == 4)
        #expect("\(Environment.localTesting)" == "LocalTesting")
    }

    @Test("Five codes are retryable, three of them of status 404")
    func retryable() {
        let codes = APIError.all.values.filter(\.isRetryable).map(\.code).sorted()
        #expect(codes == [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001])
    }

    @Test(
        "A name is found in any spelling, and an exact one before others",
        arguments: [
            ("unintendedPurchase", "UNINTENDED_PURCHASE"), ("free-trial", "FREE_TRIAL"),
            ("Free Trial", "FREE_TRIAL"), ("freetrial", "freetrial"), ("usa", "USA"),
            ("", nil), ("_", nil), ("trial", nil),
        ] as [(String, String?)])
    func anySpelling(typed: String, name: String?) {
        let names = ["UNINTENDED_PURCHASE", "FREE_TRIAL", "freetrial", "USA"]
        #expect(names.spelling(of: typed) == name)
    }

    /// The first column of API-7.
    private static let codes: Set<Int64> = [
        4_000_000, 4_000_002, 4_000_004, 4_000_005, 4_000_006, 4_000_008, 4_000_009, 4_000_010,
        4_000_011, 4_000_012, 4_000_013, 4_000_014, 4_000_015, 4_000_016, 4_000_017, 4_000_018,
        4_000_019, 4_000_020, 4_000_021, 4_000_022, 4_000_023, 4_000_024, 4_000_025, 4_000_026,
        4_000_027, 4_000_028, 4_000_030, 4_000_031, 4_000_032, 4_000_033, 4_000_034, 4_000_035,
        4_000_036, 4_000_037, 4_000_038, 4_000_039, 4_000_040, 4_000_041, 4_000_042, 4_000_043,
        4_000_044, 4_000_047, 4_000_048, 4_000_161, 4_000_162, 4_000_163, 4_000_164, 4_000_175,
        4_000_183, 4_000_185, 4_000_187, 4_000_209, 4_000_211, 4_000_212, 4_000_213, 4_000_215,
        4_000_216, 4_000_218, 4_000_219, 4_000_224, 4_000_225, 4_000_227, 4_030_004, 4_030_005,
        4_030_007, 4_030_014, 4_030_016, 4_030_017, 4_030_018, 4_030_019, 4_030_026, 4_030_028,
        4_040_001, 4_040_002, 4_040_003, 4_040_004, 4_040_005, 4_040_006, 4_040_007, 4_040_008,
        4_040_009, 4_040_010, 4_040_014, 4_040_015, 4_040_018, 4_040_019, 4_040_020, 4_040_021,
        4_040_022, 4_090_000, 4_090_001, 4_290_000, 5_000_000, 5_000_001,
    ]

    @Test("Every error code of the reference is there, its status in its first three digits")
    func errorStatus() {
        #expect(Set(APIError.all.keys) == Self.codes)
        for (code, error) in APIError.all {
            #expect(error.code == code)
            #expect([400, 403, 404, 409, 429, 500].contains(error.status))
            #expect(error.message.hasSuffix("."))
        }
    }

    @Test("An error with other words is still the same code")
    func saying() {
        let error = APIError.invalidSort.saying("Sort by something.")
        #expect(error.jsonText() == #"{"errorCode":4000021,"errorMessage":"Sort by something."}"#)
        #expect(error.status == 400)
    }
}
