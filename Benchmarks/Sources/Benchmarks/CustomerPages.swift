/// Customers' pages of the store: some hundred customers look at their own, signed in.
struct CustomerPages: Sendable {
    /// Somebody who looks.
    struct Customer: Sendable {
        let account: String
        let subscription: Int64
    }

    let port: Int
    let rounds: Int
    let calls: Int

    /// How many sign in.
    private static let visitors = 500

    /// What is looked at.
    private enum Sight: CaseIterable {
        case overview, manage, price, history

        var name: String {
            switch self {
            case .overview: "a customer's subscriptions"
            case .manage: "a customer's subscription"
            case .price: "a customer's price sheet"
            case .history: "a customer's purchases"
            }
        }

        func path(_ subscription: Int64) -> String {
            switch self {
            case .overview: "/account"
            case .manage: "/account/subscriptions/\(subscription)"
            case .price: "/account/subscriptions/\(subscription)/price"
            case .history: "/account/purchases"
            }
        }
    }

    /// - Parameters:
    ///   - customers: all of them; those who look are spread over them.
    ///   - name: of the database.
    func measure(_ customers: [Customer], _ name: String) async throws -> [PageFigure] {
        let distance = max(1, customers.count / Self.visitors)
        var requests: [Sight: [String]] = [:]
        for place in stride(from: 0, to: customers.count, by: distance).prefix(Self.visitors) {
            let customer = customers[place]
            let cookie = PageSession.begin(
                at: "/account/sign-in",
                ["app": Fixture.bundleID, "account": customer.account], port: port)
            for sight in Sight.allCases {
                let request = PageSession.request(sight.path(customer.subscription), cookie)
                // Of whom nothing is asked, the page says so: that is not what is measured.
                if sight == .price,
                    !Load.reply(to: request, port: port).contains("/price/agree\"")
                {
                    continue
                }
                requests[sight, default: []].append(request)
            }
        }
        return try await PageRounds(port: port, rounds: rounds, calls: calls).measure(
            Sight.allCases.map {
                PageRounds.Kind(name: $0.name, requests: requests[$0] ?? [])
            }, "customers on \(name)")
    }
}
