import Outbox
import Testing

@Suite("Where messages can be posted to")
struct PostURLTests {
    private static let good = [
        "http://a", "https://a.example/", "HTTP://A.example:80/x", "http://127.0.0.1:1/in?x=1",
        "https://[::1]:65535/", "http://[2001:db8::1]", "http://a_b.example./", "http://a?x",
        "http://xn--bcher-kva.example/", "http://1", "http://a/%7B@:80", "http://a?%c3%BC",
    ]
    private static let bad = [
        "", "a", "http:", "http://", "http:///x", "http://?x", "http:a", "http:/a", "//a",
        "ftp://a", "unix:///a", "http+unix://%2Ftmp%2Fs/", "javascript:1",
        // Ports.
        "http://a:0", "http://a:65536/", "http://a:99999", "http://a:99999999999999999999/",
        "http://a:-1", "http://a:+80/", "http://a:0080/", "http://a:/", "http://a:80:90/",
        "http://a:8o/", "http://:80/", "http://[::1]:65536/", "http://127.0.0.1:70000/",
        // Hosts.
        "http://[::1", "http://::1/", "http://[::g]/", "http://[1.2.3.4]/", "http://[::1]x/",
        "http://[fe80::1%25eth0]/", "http://u:p@a/", "http://u@a", "http://a\\b@c/", "http://a@/",
        "http://b\u{FC}cher.example/", "http://b%C3%BC/", "http://%61/", "http://a%00b/",
        "http://a..b/", "http://.a/", "http://a<b/", "http://*.a/", "http://a b/", "http://a/ ",
        "http://a/#x", "http://a#", "http://a/%zz", "http://a/%", "http://a/%4", "http://a/{x}",
        "http://a/\"", "http://a/[", "http://a/\n", "http://a/\u{0}", "http://a/\u{E9}",
        "http://" + String(repeating: "a", count: 300) + ".example/",
        "http://" + String(repeating: "a", count: 64) + "/",
        "http://" + Array(repeating: "abcdefg", count: 40).joined(separator: ".") + "/",
        "http://a/" + String(repeating: "x", count: 2048),
    ]

    @Test("A URL with a host that can be called is taken as it is written", arguments: good)
    func taken(_ text: String) {
        #expect(PostURL(text)?.text == text)
    }

    @Test("What cannot be called is none", arguments: bad)
    func refused(_ text: String) {
        #expect(PostURL(text) == nil)
    }
}
