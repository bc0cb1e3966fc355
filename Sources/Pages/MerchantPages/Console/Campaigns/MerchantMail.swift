import HTMLPages

/// A campaign's mail as a document of its own: the text as a reader sees it.
struct MerchantMail {
    let subject: String
    let text: String
    /// A language tag; nil where it is not known.
    let language: String?

    var html: String {
        let lang = language.map { " lang=\"\(HTMLText.escaped($0))\"" } ?? ""
        return """
            <!DOCTYPE html><html\(lang)><head><meta charset="utf-8">\
            <title>\(HTMLText.escaped(subject))</title>\
            <style>body{font:1rem/1.5 sans-serif;margin:1rem;white-space:pre-wrap;\
            overflow-wrap:anywhere}</style></head>\
            <body dir="auto">\(HTMLText.escaped(text))</body></html>
            """
    }
}
