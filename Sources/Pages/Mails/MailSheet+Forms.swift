import HTMLPages
import Letters

/// A mail's two forms. HTML is made here and nowhere else, of whole elements: texts go through
/// `Sentence` or `HTMLText`, addresses of links were checked.
extension MailSheet {
    /// For who reads plain text.
    var text: String {
        let isolated = words.isRightToLeft
        var paragraphs = blocks.map { block in
            switch block {
            case .paragraph(let sentence): sentence.text(isolated: isolated)
            case .item(let name, let facts):
                (names(name) + facts.map { "  \(words: $0.label)\(words: words.colon)\($0.value)" })
                    .map { $0.text(isolated: isolated) }.joined(separator: "\n")
            }
        }
        let foot =
            links.map { "\($0.label)\(words.colon)\($0.url)" }
            + [sentTo.text(isolated: isolated)]
        paragraphs.append("-- \n" + foot.joined(separator: "\n"))
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    private func names(_ name: String?) -> [Sentence] { name.map { [.value($0)] } ?? [] }

    private var sentTo: Sentence { words.sentTo(letter.account, app: letter.app) }

    /// For who reads HTML. Colours are the reader's program's own, in the light and in the dark;
    /// nothing is fetched from anywhere.
    var html: String {
        let direction = words.isRightToLeft ? "rtl" : "ltr"
        let start = words.isRightToLeft ? "right" : "left"
        let title = HTMLText.escaped(subject.text(isolated: words.isRightToLeft))
        let foot =
            links.map { link in
                "<a href=\"\(HTMLText.escaped(link.url))\">\(HTMLText.escaped(link.label))</a>"
            }.joined(separator: " &#160; ")
        return """
            <!doctype html>
            <html lang="\(words.language)" dir="\(direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>:root { color-scheme: light dark; }</style>
            </head>
            <body style="margin: 0">
            <div dir="\(direction)" style="\(Self.page); text-align: \(start)">
            <p style="margin: 0 0 1.5em; font-weight: 600">\(HTMLText.escaped(appName))</p>
            <h1 style="\(Self.heading)">\(subject.html)</h1>
            \(blocks.map(element).joined(separator: "\n"))
            <hr style="\(Self.rule)">
            \(foot.isEmpty ? "" : "<p style=\"\(Self.small)\">\(foot)</p>\n")\
            <p style="\(Self.small)">\(sentTo.html)</p>
            </div>
            </body>
            </html>

            """
    }

    private var appName: String { Sentence.value(letter.app).text(isolated: false) }

    private static let page =
        "max-width: 36em; margin: 0 auto; padding: 1.5em 1em; line-height: 1.5; "
        + "font-family: system-ui, sans-serif; overflow-wrap: anywhere"
    private static let heading = "font-size: 1.35em; line-height: 1.3; margin: 0 0 1em"
    private static let rule =
        "border: 0; border-top: 1px solid; opacity: 0.3; margin: 2em 0 1em"
    private static let small = "font-size: 0.875em; margin: 0 0 0.75em"
    private static let box =
        "border: 1px solid; border-color: rgba(128, 128, 128, 0.5); border-radius: 0.5em; "
        + "padding: 0.75em 1em; margin: 0 0 1em"

    private func element(_ block: Block) -> String {
        switch block {
        case .paragraph(let sentence): return "<p style=\"margin: 0 0 1em\">\(sentence.html)</p>"
        case .item(let name, let facts):
            let rows = facts.map { fact in
                let label = HTMLText.escaped(fact.label + words.colon)
                return "<div>\(label)<strong>\(fact.value.html)</strong></div>"
            }
            let title = names(name).map { "<div style=\"font-weight: 600\">\($0.html)</div>" }
            return (["<div style=\"\(Self.box)\">"] + title + rows + ["</div>"])
                .joined(separator: "\n")
        }
    }
}
