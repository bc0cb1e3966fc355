extension AppReceipt {
    /// Whether the receipt was sealed for a device, which only says something once it is verified
    /// (RCP-4).
    ///
    /// - Parameter identifier: 16 bytes, the vendor identifier of iOS devices; 6 bytes, the MAC
    ///   address of a Mac.
    public func isSealed(forDevice identifier: [UInt8]) -> Bool {
        deviceHash
            == Self.deviceHash(
                identifier: identifier, opaqueValue: opaqueValue,
                storedBundleID: DERWriter.utf8(bundleID))
    }
}
