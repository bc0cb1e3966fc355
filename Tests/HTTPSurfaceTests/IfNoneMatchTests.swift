import HTTPSurface
import Testing

@Suite("What a client has already")
struct IfNoneMatchTests {
    @Test(
        "A tag is named alone, in a list, weakly, or by a star",
        arguments: [
            #""a-1""#, #"W/"a-1""#, #""b", "a-1""#, #"W/"b",W/"a-1""#, #", "b,c" , "a-1" ,"#, "*",
            " * ",
        ])
    func named(_ field: String) {
        #expect(IfNoneMatch(field).names(#""a-1""#))
        #expect(IfNoneMatch(field).names(#"W/"a-1""#))
    }

    @Test(
        "What names another tag, or is none, names nothing",
        arguments: [
            "", " ", ",", "a-1", #""a-2""#, #""b,"a-1"#, #"w/"a-1""#, #""A-1""#, #""a-1"#,
            #"x "a-1""#, #"W/ "a-1""#, #""*""#, #"*a"#,
        ])
    func others(_ field: String) {
        #expect(!IfNoneMatch(field).names(#""a-1""#))
    }
}
