/// Which of the two kinds of receipt bytes begin like; verifyReceipt is sent both.
public enum ReceiptFormat: String, Sendable, Hashable, CaseIterable {
    /// The app receipt, since iOS 7: a container of PKCS#7.
    case appReceipt
    /// The receipt of one transaction, until iOS 6: a property list.
    case transactionReceipt

    /// By the first byte; `nil` if it is neither's.
    public init?(of bytes: [UInt8]) {
        switch bytes.first {
        case BERReader.Tag.sequence: self = .appReceipt
        case UInt8(ascii: "{"): self = .transactionReceipt
        default: return nil
        }
    }
}
