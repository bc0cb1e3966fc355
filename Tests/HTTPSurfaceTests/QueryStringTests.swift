import HTTPSurface
import Testing

@Suite("Query strings")
struct QueryStringTests {
    @Test(
        "A query is read as every client writes it",
        arguments: [
            ("", []), ("&&", []), ("a=1", ["a=1"]), ("a=1&a=2", ["a=1", "a=2"]), ("a", ["a="]),
            ("a=", ["a="]), ("a=b=c", ["a=b=c"]), ("a=x+y", ["a=x y"]), ("a=x%20y", ["a=x y"]),
            ("a=x%2By", ["a=x+y"]), ("a%5B=1", ["a[=1"]), ("a=%C3%BC", ["a=ü"]),
            ("a=%FF", ["a=%FF"]), ("a=%", ["a=%"]), ("a=%4", ["a=%4"]), ("a=%zz", ["a=%zz"]),
            ("a=%2", ["a=%2"]), ("=1", ["=1"]), ("a=100%25", ["a=100%"]),
        ])
    func reading(text: String, items: [String]) {
        #expect(QueryString(text).items.map { "\($0.name)=\($0.value)" } == items)
    }
}
