import AppStoreSigning
import AppStoreWire
import FoundationEssentials

/// Receipts that are wrong (RCP-4): in Base64, as an app sends them to its server.
extension ForgeryKind {
    static let receipts =
        receiptControls + receiptSignatures + receiptCertificates + receiptTexts
        + receiptContents

    private static let receiptControls = [
        ForgeryKind(
            receipt: "genuine", "Nothing is wrong: it is as the store signs receipts.", nil
        ) { try $0.container { _ in } },
        ForgeryKind(
            receipt: "indefinite-lengths",
            "It is in BER with indefinite lengths, as Xcode writes receipts.", nil
        ) { bench in
            let container = try bench.signed(bench.receipt)
            return ForgedText(ReceiptBench.text(container.encoded(withIndefiniteLengths: true)))
        },
        ForgeryKind(
            receipt: "algorithm-in-full",
            "The signature is called RSA over SHA-256, where the App Store says RSA alone.", nil
        ) { try $0.container { $0.signers[0].algorithm = .sha256WithRSAEncryption } },
        ForgeryKind(
            receipt: "attribute-unknown", "An attribute whose meaning nobody has published.", nil
        ) { try $0.attributes { $0.append(.text(30_000, "later")) } },
    ]

    private static let receiptSignatures = [
        ForgeryKind(
            receipt: "signature-flipped", "One bit of the signature is another one.",
            .wrongSignature
        ) { try $0.container { $0.signers[0].signature[40] ^= 0x10 } },
        ForgeryKind(
            receipt: "signature-truncated", "The last byte of the signature is missing.",
            .wrongSignature
        ) { try $0.container { $0.signers[0].signature.removeLast() } },
        ForgeryKind(receipt: "signature-empty", "The signature has no bytes.", .wrongSignature) {
            try $0.container { $0.signers[0].signature = [] }
        },
        ForgeryKind(
            receipt: "signature-zero", "All bytes of the signature are zero.", .wrongSignature
        ) {
            try $0.container { container in
                let count = container.signers[0].signature.count
                container.signers[0].signature = [UInt8](repeating: 0, count: count)
            }
        },
        ForgeryKind(
            receipt: "signature-by-stranger",
            "Everything is right but the key: somebody else has signed.", .wrongSignature
        ) { bench in
            try bench.byStranger(
                under: [bench.chain.leafDER, bench.chain.intermediateDER, bench.chain.rootDER],
                leaf: bench.chain.leaf)
        },
        ForgeryKind(
            receipt: "payload-changed", "It says that more was bought than was signed.",
            .wrongSignature
        ) { bench in
            var richer = bench.receipt
            richer.inApp[0].quantity = 1000
            return try bench.container { $0.payload = richer.payload }
        },
        ForgeryKind(
            receipt: "digest-sha1", "It is signed over SHA-1, as receipts before 2023.",
            .outdatedDigest
        ) { bench in
            let container = try ReceiptSigner(chain: bench.chain).container(
                of: bench.receipt.payload, digest: .sha1)
            return ForgedText(ReceiptBench.text(container.encoded()))
        },
        ForgeryKind(
            receipt: "digest-mismatched", "The container names another digest than the signer.",
            .wrongAlgorithm
        ) { try $0.container { $0.digests = [.sha1] } },
        ForgeryKind(
            receipt: "algorithm-other", "The signature says that it is RSA over SHA-1.",
            .wrongAlgorithm
        ) { try $0.container { $0.signers[0].algorithm = .sha1WithRSAEncryption } },
        ForgeryKind(receipt: "signer-missing", "Nobody has signed.", .wrongSignerCount) {
            try $0.container { $0.signers = [] }
        },
        ForgeryKind(receipt: "signer-twice", "Two have signed.", .wrongSignerCount) {
            try $0.container { $0.signers += $0.signers }
        },
        ForgeryKind(
            receipt: "signer-other", "The signer's number is that of no certificate in it.",
            .untrustedChain
        ) { try $0.container { $0.signers[0].serialNumber[15] ^= 1 } },
    ]

    private static let receiptCertificates = receiptChains + receiptLeaves

    private static let receiptChains = [
        ForgeryKind(
            receipt: "certificates-missing", "There are no certificates.", .wrongChainLength
        ) { try $0.container { $0.certificates = [] } },
        ForgeryKind(
            receipt: "certificates-one", "Only the leaf is there, as Xcode sends it.",
            .wrongChainLength
        ) { try $0.container { $0.certificates.removeLast(2) } },
        ForgeryKind(receipt: "certificates-two", "The root is missing.", .wrongChainLength) {
            try $0.container { $0.certificates.removeLast() }
        },
        ForgeryKind(receipt: "certificates-four", "The root is there twice.", .wrongChainLength) {
            try $0.container { $0.certificates.append($0.certificates[2]) }
        },
        ForgeryKind(
            receipt: "certificates-reordered", "Root, intermediate, leaf: the wrong way round.",
            .untrustedChain
        ) { try $0.container { $0.certificates.reverse() } },
        ForgeryKind(
            receipt: "certificates-garbage-leaf", "The first certificate is none.",
            .malformedCertificate
        ) { try $0.container { $0.certificates[0] = [0x30, 0x00] } },
        ForgeryKind(
            receipt: "certificates-other-root",
            "The third certificate is the root of somebody else.", .untrustedChain
        ) { bench in
            let other = try bench.foreignChain()
            return try bench.container { $0.certificates[2] = other.rootDER }
        },
        ForgeryKind(
            receipt: "certificates-other-chain",
            "Another chain of the same names and markers: right in itself, and nobody's whom the "
                + "verifier trusts.", .untrustedChain
        ) { bench in
            let other = try bench.foreignChain()
            return try bench.byStranger(
                under: [other.leafDER, other.intermediateDER, other.rootDER], leaf: other.leaf)
        },
        ForgeryKind(
            receipt: "certificates-other-chain-with-our-root",
            "Another chain that shows the trusted root as its third certificate.", .untrustedChain
        ) { bench in
            let other = try bench.foreignChain()
            return try bench.byStranger(
                under: [other.leafDER, other.intermediateDER, bench.chain.rootDER],
                leaf: other.leaf)
        },
    ]

    private static let receiptLeaves = [
        ForgeryKind(
            receipt: "leaf-expired", "The leaf's time was over when the receipt was made.",
            .certificateNotValidAtDate
        ) { bench in try bench.leaf { $0.notAfter = bench.date(days: -1) } },
        ForgeryKind(
            receipt: "leaf-not-yet-valid",
            "The leaf's time had not begun when the receipt was made.", .certificateNotValidAtDate
        ) { bench in try bench.leaf { $0.notBefore = bench.date(days: 1) } },
        ForgeryKind(
            receipt: "leaf-without-marker",
            "The leaf lacks the extension that says it signs App Store data.", .missingMarker
        ) { try $0.leaf { $0.marker = nil } },
        ForgeryKind(
            receipt: "leaf-is-authority",
            "The leaf is an authority itself: whoever holds its key could issue more.",
            .untrustedChain
        ) { try $0.leaf { $0.isAuthority = true } },
    ]

    private static let receiptTexts = [
        ForgeryKind(receipt: "text-empty", "There is no text at all.", .malformed) {
            try $0.text { _ in "" }
        },
        ForgeryKind(
            receipt: "text-truncated", "The second half of the receipt is missing.", .malformed
        ) {
            try $0.text { String($0.prefix($0.utf8.count / 8 * 4)) }
        },
        ForgeryKind(receipt: "bytes-behind", "Bytes follow the end of the container.", .malformed) {
            ForgedText(ReceiptBench.text(try $0.signed($0.receipt).encoded() + [0, 0]))
        },
        ForgeryKind(
            receipt: "base64-line-breaks", "The Base64 has a line break, as mail programs make it.",
            .malformed
        ) {
            try $0.text { $0.prefix(64) + "\n" + $0.dropFirst(64) }
        },
        ForgeryKind(
            receipt: "base64-url-alphabet", "The Base64 has - and _ where + and / belong.",
            .malformed
        ) {
            try $0.text {
                $0.replacing("+", with: "-").replacing("/", with: "_")
            }
        },
        ForgeryKind(
            receipt: "base64-unpadded", "The Base64 lacks its padding at the end.", .malformed
        ) { bench in
            // A text without padding says nothing; one byte more in the payload changes that.
            var attributes = bench.receipt.attributes
            var text = ReceiptBench.text(
                try bench.signed(ReceiptAttribute.encode(attributes)).encoded())
            while !text.hasSuffix("=") {
                attributes.append(.text(30_000 + Int64(attributes.count), "x"))
                text = ReceiptBench.text(
                    try bench.signed(ReceiptAttribute.encode(attributes)).encoded())
            }
            return ForgedText(text.replacing("=", with: ""))
        },
        ForgeryKind(
            receipt: "of-another-sort", "A signed transaction in the place of a receipt.",
            .malformed
        ) { bench in
            ForgedText(
                Data(bench.material.transaction.jsonBytes()).base64EncodedString())
        },
        ForgeryKind(receipt: "payload-not-attributes", "What is signed is a text.", .malformed) {
            ForgedText(ReceiptBench.text(try $0.signed(Array("all is well".utf8)).encoded()))
        },
        ForgeryKind(receipt: "bundle-missing", "It does not say of which app it is.", .malformed) {
            try $0.attributes { $0.removeAll { $0.type == 2 } }
        },
        ForgeryKind(
            receipt: "bundle-twice", "It names two apps: readers differ in which they take.",
            .malformed
        ) { try $0.attributes { $0.append(.text(2, Workbench.otherBundleID)) } },
        ForgeryKind(
            receipt: "creation-date-missing", "It does not say when it was made.", .malformed
        ) { try $0.attributes { $0.removeAll { $0.type == 12 } } },
    ]

    private static let receiptContents = [
        ForgeryKind(receipt: "wrong-bundle", "It is of another app.", .wrongBundle) {
            try $0.receipt { $0.bundleID = Workbench.otherBundleID }
        },
        ForgeryKind(
            receipt: "bundle-longer", "Its bundle id begins as the right one does, and goes on.",
            .wrongBundle
        ) { try $0.receipt { $0.bundleID += ".evil" } },
        ForgeryKind(
            receipt: "wrong-environment", "It is of the other environment.", .wrongEnvironment
        ) {
            try $0.receipt { receipt in
                receipt.environment =
                    receipt.environment == .production ? .sandbox : .production
            }
        },
        ForgeryKind(
            receipt: "environment-xcode", "It says that it comes from Xcode.", .wrongEnvironment
        ) { try $0.receipt { $0.environment = .xcode } },
        ForgeryKind(
            receipt: "expired", "Its own end has passed, as that of an app bought in volume.",
            .expired
        ) { try $0.receipt { $0.expirationDate = $0.creationDate - 1000 } },
        ForgeryKind(
            receipt: "creation-date-after-certificates",
            "It says that it was made after all certificates are over.",
            .certificateNotValidAtDate
        ) { bench in
            try bench.receipt { $0.creationDate = bench.validity.upperBound + 86_400_000 }
        },
        ForgeryKind(
            receipt: "creation-date-before-certificates",
            "It says that it was made before there were its certificates.",
            .certificateNotValidAtDate
        ) { bench in
            try bench.receipt { $0.creationDate = bench.validity.lowerBound - 86_400_000 }
        },
        ForgeryKind(
            receipt: "creation-date-ahead", "It says that it was made in ten years.", nil,
            lookAt: "The creation date is ahead of every clock: no verifier compares it with one."
        ) { try $0.receipt { $0.creationDate += 10 * 365 * 86_400_000 } },
        ForgeryKind(
            receipt: "of-another-device",
            "It was made for another device: only a device itself can compare the hash.", nil,
            lookAt: "On a server nothing tells; on the device compare attribute 5, and on both "
                + "let one purchase belong to one account."
        ) { try $0.receipt { $0.seal(forDevice: [UInt8](repeating: 1, count: 16)) } },
        ForgeryKind(
            receipt: "of-another-customer",
            "A genuine receipt of somebody else, who bought in the same app.", nil,
            lookAt: "Whose `original_transaction_id` it is: it must belong to the account that "
                + "shows it, and to no second one."
        ) { bench in
            guard let other = bench.material.ofOther else {
                throw ForgeryImpossible.noOtherCustomer
            }
            let receipt = ReceiptBench.receipt(of: other, bench.material)
            return ForgedText(ReceiptBench.text(try bench.signed(receipt).encoded()))
        },
        ForgeryKind(
            receipt: "replayed",
            "The receipt as it was when the purchase was made, shown again: since then it may "
                + "have been refunded, replaced or over.", nil,
            lookAt: "A receipt says how things stood on its creation date: ask verifyReceipt or "
                + "the App Store Server API how they stand now."
        ) { bench in
            let current = ReceiptBench.text(try bench.signed(bench.receipt).encoded())
            var earlier = bench.receipt
            earlier.creationDate = bench.material.transaction.purchaseDate
            earlier.inApp[0].cancellationDate = nil
            return ForgedText(
                ReceiptBench.text(try bench.signed(earlier).encoded()), after: current)
        },
    ]
}
