import AppStoreWire
public import ArgumentParser

/// A choice is read in any spelling: `UNINTENDED_PURCHASE`, `unintended-purchase` and
/// `unintendedPurchase` are one.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
    public init?(argument: String) {
        guard let name = Self.allCases.map(\.rawValue).spelling(of: argument) else { return nil }
        self.init(rawValue: name)
    }
}
