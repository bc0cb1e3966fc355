import Testing

@testable import HTMLPages

@Suite("Drawings")
struct DrawingTests {
    @Test("Equal input gives equal bytes")
    func equal() {
        let one = Samples.plain.drawing("life")
        let other = Samples.plain.drawing("life")
        #expect(one.markup == other.markup)
        #expect(one.markup != Samples.plain.drawing("other").markup)
    }

    @Test("A drawing says what it shows, and no text in it becomes markup")
    func escaped() {
        let text = "\u{600}<b>\"\u{301}</title></svg>"
        let hostile = Samples { "\($0)\(text)" }.drawing("life\(text)").markup.text
        let plain = Samples.plain.drawing("life").markup.text
        #expect(HTML.signs(in: hostile) == HTML.signs(in: plain))
        #expect(plain.hasPrefix("<svg viewBox=\"0 0 100 50\" width=\"100\" height=\"50\" "))
        #expect(plain.contains("aria-labelledby=\"life-title\""))
        #expect(plain.contains("<title id=\"life-title\">drawing-title</title>"))
        #expect(plain.contains(#"<rect x="1" y="2" width="3" height="4" class="a"><title>"#))
        #expect(plain.contains(#"<polygon points="9,10 11,12" class="c">"#))
        #expect(plain.contains(#"<text x="16" y="17" class="e" text-anchor="end">drawing-text<"#))
    }

    @Test("Nothing in a drawing needs a style that the pages' policy refuses")
    func noStyle() {
        let markup = Samples.plain.drawing("life").markup.text
        #expect(!markup.contains("style"))
        #expect(!markup.contains("NaN"))
    }

    @Test("A shape without a length is drawn without one")
    func negative() {
        var drawing = Drawing(id: "d", title: "t", width: 10, height: 10)
        drawing.rectangle(x: 1, y: 1, width: -4, height: 2, class: "a")
        #expect(drawing.key.text == #"<rect x="1" y="1" width="0" height="2" class="a"/>"#)
    }

    @Test("Many shapes of one kind are one, and none of them is nothing")
    func many() {
        var drawing = Drawing(id: "d", title: "t", width: 10, height: 10)
        drawing.rectangles([], class: "a")
        drawing.lines([], class: "a")
        #expect(drawing.key.text.isEmpty)
        drawing.rectangles([(1, 2, 3, 4), (5, 6, 7, 8)], class: "b")
        drawing.lines([(1, 2, 3, 4), (5, 6, 7, 8)], class: "c")
        #expect(
            drawing.key.text == """
                <path d="M1 2h3v4h-3zM5 6h7v8h-7z" class="b"/>\
                <path d="M1 2L3 4M5 6L7 8" class="c"/>
                """)
    }
}
