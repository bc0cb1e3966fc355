import AppStoreSigning
import AppStoreWire

/// Texts that are no compact JWS, or one in a spelling of their own.
extension ForgeryKind {
    static func texts(of about: ForgerySubject) -> [ForgeryKind] {
        parts(of: about) + spellings(of: about) + [
            ForgeryKind(
                about, "oversized",
                "Rightly signed, and larger than anything that is ever sent: whoever reads it does "
                    + "so for nothing.", about.tooLarge, apple: .ok,
                difference: "Apple's verifiers have no limit: the server before them must."
            ) { bench in
                try bench.members { members in
                    members.add("padding", String(repeating: "x", count: bench.subject.sizeLimit))
                }
            }
        ]
    }

    /// A kind that changes the genuine text once it is signed.
    private static func text(
        _ about: ForgerySubject, _ fault: String, _ why: String, _ answer: ForgeryAnswer? = nil,
        apple: AppleStatus? = nil, difference: String? = nil,
        _ forge: @escaping @Sendable (SealedJWS) throws -> String
    ) -> ForgeryKind {
        ForgeryKind(
            about, fault, why, answer ?? about.malformed, apple: apple, difference: difference
        ) { ForgedText(try forge(try $0.genuine.sealed())) }
    }

    private static func parts(of about: ForgerySubject) -> [ForgeryKind] {
        [
            text(
                about, "text-empty", "There is no text at all.",
                about == .inAppRequest ? .inAppRequest(.missing) : nil
            ) { _ in "" },
            text(about, "text-truncated", "The second half of the text is missing.") {
                String($0.text.prefix($0.header.utf8.count + 1 + $0.payload.utf8.count / 2))
            },
            text(about, "dot-missing", "There are two parts: no signature, and no dot before it.") {
                "\($0.header).\($0.payload)"
            },
            text(about, "dots-missing", "The three parts follow each other without a dot.") {
                $0.header + $0.payload + $0.signatureText
            },
            text(about, "fourth-part", "A fourth part follows the signature.") { $0.text + ".e30" },
        ]
    }

    private static func spellings(of about: ForgerySubject) -> [ForgeryKind] {
        [
            text(
                about, "base64-padded", "The signature is padded with `=`.", apple: .ok,
                difference: "PyJWT takes padding; the signature is over the parts as they are "
                    + "written, so nothing else can be said so. Ours takes one spelling of a text."
            ) { $0.text + "==" },
            text(
                about, "base64-line-breaks",
                "The signature has a line break, as mail programs make them."
            ) {
                $0.text(
                    signature: $0.signatureText.prefix(43) + "\n" + $0.signatureText.dropFirst(43))
            },
            ForgeryKind(
                about, "base64-standard-alphabet",
                "The signature has + and / where base64url has - and _.", about.malformed
            ) { bench in
                // A signature without either letter says nothing: one in fifteen.
                var sealed = try bench.genuine.sealed()
                while !sealed.signatureText.contains(where: { $0 == "-" || $0 == "_" }) {
                    sealed = try bench.genuine.sealed()
                }
                return ForgedText(
                    sealed.text(
                        signature: sealed.signatureText.replacing("-", with: "+")
                            .replacing("_", with: "/")))
            },
            text(
                about, "base64-stray-bits",
                "The last letter of the signature has bits that belong to no byte: another text, "
                    + "and the same bytes."
            ) { sealed in
                // The last of 86 letters carries two bits and four that are zero: A, Q, g or w.
                let text = sealed.signatureText
                let next: [Character: Character] = ["A": "B", "Q": "R", "g": "h", "w": "x"]
                return sealed.text(
                    signature: text.dropLast() + String(text.last.flatMap { next[$0] } ?? "B"))
            },
            text(about, "surrounding-space", "White space stands before the text.") {
                " " + $0.text
            },
        ]
    }
}
