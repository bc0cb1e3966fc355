import AppStoreWire
import Testing

@Suite("Errors of Advanced Commerce")
struct CommerceErrorTests {
    private static let cases = CommerceCase.members + CommerceCase.together

    /// Numbers that only the store can give, since they depend on what it has.
    private static let stores: Set<Int64> = [
        4_000_097, 4_000_113, 4_000_114, 4_000_116, 4_000_117, 4_000_121, 4_000_131, 4_000_133,
        4_000_134, 4_000_135, 4_000_145, 4_000_146, 4_000_147, 4_000_158, 4_000_168, 4_000_176,
        4_000_177, 4_000_178, 4_000_180, 4_000_181, 4_000_182, 4_000_186, 4_000_205, 4_000_214,
        4_000_220, 4_000_221, 4_030_008, 4_030_009, 4_030_010, 4_030_011, 4_030_013, 4_030_015,
        4_030_020, 4_030_021, 4_030_022, 4_030_023, 4_030_024, 4_030_025, 4_030_027, 4_040_010,
        4_040_016, 4_290_000, 5_000_000, 5_000_001,
    ]

    /// Numbers of the signed text around an in-app request.
    private static let signatures: Set<Int64> = [4_000_171, 4_000_174]

    /// Numbers without a use: no request needs a storefront, and an item has room for one offer.
    private static let unused: Set<Int64> = [4_000_100, 4_000_137]

    @Test("Every number is given by a request, a signature or the store, and by one of them")
    func everyNumber() {
        let read = Set(Self.cases.map(\.code))
        let all = Set(APIError.AdvancedCommerce.all.keys)
        #expect(all.subtracting(read) == Self.stores.union(Self.signatures).union(Self.unused))
        #expect(read.isSubset(of: all))
        #expect(read.isDisjoint(with: Self.stores))
    }

    @Test("A number begins with its status, and its words say what is wrong and what to do")
    func words() {
        for (code, error) in APIError.AdvancedCommerce.all {
            #expect(error.code == code)
            #expect([400, 403, 404, 429, 500].contains(error.status))
            #expect(error.message.hasSuffix("."))
            #expect(error.message.contains(": "), "\(error)")
        }
    }

    @Test("A number may have another name here than in the App Store Server API")
    func collisions() {
        #expect(APIError.AdvancedCommerce.invalidStorefront.code == 4_000_028)
        #expect(APIError.AdvancedCommerce.all[4_000_028]?.name == "InvalidStorefront")
        #expect(APIError.all[4_000_028]?.name == "InvalidStorefrontCountryCode")
        #expect(APIError.AdvancedCommerce.invalidAppAccountToken.code == 4_000_033)
    }

    /// Apple's lists, by endpoint.
    private static func documented(_ endpoint: AdvancedCommerceEndpoint) -> [Int64] {
        let common: [Int64] = [
            4_000_028, 4_000_033, 4_000_079, 4_000_080, 4_000_081, 4_000_082, 4_000_133, 4_000_135,
            4_000_173, 4_030_008, 4_030_010, 4_040_010,
        ]
        let refunds: [Int64] = [
            4_000_097, 4_000_123, 4_000_124, 4_000_153, 4_000_154, 4_000_155, 4_000_156, 4_000_157,
            4_000_158, 4_000_159, 4_000_181, 4_030_013, 4_030_020, 4_030_021, 4_030_024,
        ]
        return common
            + {
                switch endpoint {
                case .cancel: [4_030_013]
                case .changeMetadata:
                    [
                        4_000_087, 4_000_088, 4_000_089, 4_000_097, 4_000_111, 4_000_115,
                        4_000_118, 4_000_119, 4_000_121, 4_000_122, 4_000_127, 4_000_160,
                        4_000_165, 4_030_013, 4_030_015, 4_030_023, 4_040_016,
                    ]
                case .changePrice:
                    [
                        4_000_053, 4_000_086, 4_000_087, 4_000_088, 4_000_089, 4_000_101,
                        4_000_105, 4_000_121, 4_000_122, 4_000_134, 4_000_192, 4_000_193,
                        4_000_194, 4_000_205, 4_000_220,
                    ]
                case .migrate:
                    [
                        4_000_087, 4_000_088, 4_000_089, 4_000_097, 4_000_099, 4_000_101,
                        4_000_103, 4_000_105, 4_000_106, 4_000_107, 4_000_118, 4_000_119,
                        4_000_121, 4_000_122, 4_000_127, 4_000_134, 4_000_160, 4_000_166,
                        4_000_167, 4_000_176, 4_000_179, 4_000_180, 4_030_009, 4_030_013,
                        4_030_015, 4_030_022, 4_030_023, 4_030_027, 4_040_016,
                    ]
                case .revoke: refunds + [4_000_186]
                case .requestRefund: refunds + [4_000_168, 4_000_182, 4_000_184]
                }
            }()
    }

    /// Documented for requests that have no such member.
    private static func unused(_ endpoint: AdvancedCommerceEndpoint) -> Set<Int64> {
        switch endpoint {
        case .changePrice: [4_000_088, 4_000_089]
        case .revoke: [4_000_153, 4_000_154, 4_000_155]
        case .cancel, .changeMetadata, .migrate, .requestRefund: []
        }
    }

    @Test(
        "Every documented number of an endpoint is given by its request or by the store",
        arguments: AdvancedCommerceEndpoint.allCases)
    func endpoint(endpoint: AdvancedCommerceEndpoint) {
        let documented = Self.documented(endpoint)
        #expect(endpoint.errors.map(\.code) == documented.sorted())
        let read = Set(Self.cases.filter { $0.request.endpoint == endpoint }.map(\.code))
        let rest = Set(documented).subtracting(read)
        #expect(rest.isSubset(of: Self.stores.union(Self.unused(endpoint))))
        let further = Set(endpoint.furtherErrors.map(\.code))
        #expect(further.isDisjoint(with: documented))
        #expect(read.isSubset(of: further.union(documented)))
        #expect(
            further.subtracting(read).isSubset(of: Self.stores.union([4_000_006])),
            "what only a path or the store gives")
    }

    @Test("The endpoints have their paths and rates")
    func paths() {
        #expect(
            AdvancedCommerceEndpoint.allCases.map { "\($0.path) \($0.requestsPerSecond)" } == [
                "/advancedCommerce/v1/subscription/cancel/{transactionId} 5",
                "/advancedCommerce/v1/subscription/changeMetadata/{transactionId} 50",
                "/advancedCommerce/v1/subscription/changePrice/{transactionId} 50",
                "/advancedCommerce/v1/subscription/migrate/{transactionId} 50",
                "/advancedCommerce/v1/subscription/revoke/{transactionId} 5",
                "/advancedCommerce/v1/transaction/requestRefund/{transactionId} 5",
            ])
    }

    @Test("Every published tax code is known for its kind of product and no other")
    func taxCodes() throws {
        for category in AdvancedCommerceTaxCategory.known {
            if let code = category.subscription {
                _ = try CommerceRequest.create.read(
                    CommerceCase(0, .create, Edit("taxCode", "\"\(code)\"")).json())
            }
            let charge = Edit("taxCode", "\"\(category.oneTimeCharge)\"")
            _ = try CommerceRequest.oneTimeCharge.read(
                CommerceCase(0, .oneTimeCharge, charge).json())
            #expect(throws: APIError.self) {
                try CommerceRequest.create.read(CommerceCase(0, .create, charge).json())
            }
        }
        #expect(AdvancedCommerceTaxCategory.known.count == 16)
        #expect(AdvancedCommerceTaxCategory.known[0].subscription == "C003-00-1")
    }
}
