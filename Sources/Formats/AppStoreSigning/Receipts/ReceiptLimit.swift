/// How much of a receipt is read. Who sends more is refused before anything is kept of it.
public enum ReceiptLimit {
    /// Bytes of a whole receipt; what verifyReceipt reads of a request is not more.
    public static let bytes = 16 * 1024 * 1024
    /// Attributes of a receipt; each transaction is one.
    public static let attributes = 65_536
    /// Attributes of one transaction.
    public static let transactionAttributes = 64
    /// Certificates in the container.
    public static let certificates = 16
    /// Bytes of one certificate.
    public static let certificateBytes = 16_384
    /// Elements of indefinite length inside of each other.
    public static let depth = 16
}
