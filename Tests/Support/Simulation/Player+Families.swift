import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// Families, asked of the real store.
extension Player {
    func play(_ deed: FamilyDeed) async throws -> Outcome {
        switch deed {
        case .found(let organiser, let others):
            families.append(
                try await store.createFamily(
                    organiser: organiser.text, with: others.map(\.text),
                    in: organiser.environment))
        case .join(let number, let name):
            guard let family = naive.household(number) else { return .done }
            try await store.join(
                family: families[family], account: name.text, in: name.environment)
        case .leave(let name, true):
            try await store.leaveFamily(by: devices[name]!)
        case .leave(let name, false):
            try await store.leave(account: name.text, in: name.environment)
        case .end(let number):
            guard let family = naive.household(number) else { return .done }
            try await store.endFamily(
                families[family],
                in: naive.households[family].isSandbox ? .sandbox : .production)
        case .share(let name, let group, let isOn, let hides):
            guard let id = try await subscription(name, group)?.id else { return .done }
            try await share(id, name, isOn, hides)
        case .shareOnce(let number, let isOn, let hides):
            try await store.settle()
            guard let receipt = naive.receipt(number), naive.receipts[receipt].until == nil,
                let (name, id) = try await transaction(number)
            else { return .done }
            try await share(id, name, isOn, hides)
        case .shareNew(let name, let isOn):
            try await store.setSharesNewPurchases(
                isOn, account: name.text, in: name.environment)
        case .makeShareable:
            try await store.importCatalogue(
                OpenWorld.catalogue(of: naive.shop), bundleID: OpenWorld.bundleID)
        }
        return .done
    }

    private func share(
        _ id: Int64, _ name: Account.Name, _ isOn: Bool, _ hides: Bool
    ) async throws {
        try await store.setSharing(
            hides ? .hidden : isOn ? .on : .off, originalTransaction: id, by: devices[name]!)
    }
}

extension Outcome {
    /// What a refusal about families is called in the naive model.
    init(_ error: StoreError.FamilyError) {
        self =
            switch error {
            case .inFamily: .inFamily
            case .notInFamily: .notInFamily
            case .isFull: .familyIsFull
            case .isOrganiser: .isOrganiser
            case .isShared: .isShared
            case .notShareable: .notShareable
            }
    }
}
