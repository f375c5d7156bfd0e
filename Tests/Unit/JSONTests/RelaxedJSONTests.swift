import ApusJSON
import Testing

/// JSON with comments and trailing commas.
struct RelaxedJSONTests {
  @Test(arguments: [
    ("{\"a\": 1, // one\n}", #"{"a":1}"#), ("# no\n[1, 2,]", "[1,2]"), ("/* a\n b */ {\"a\": [ /**/ ]}", #"{"a":[]}"#),
    (#"{"a": "// no, # no, /* no */ ,]", "b": "\",}"}"#, #"{"a":"// no, # no, /* no */ ,]","b":"\",}"}"#),
    ("{\"a\": {\"b\": null /* , */ , } , }", #"{"a":{"b":null}}"#), ("[1] // end", "[1]"), ("[true,\n# c\n]", "[true]"),
  ])
  func `comments and trailing commas are read`(text: String, json: String) throws {
    #expect(try JSONDocument(parsingRelaxed: text).root.description == json)
    #expect(RelaxedJSON.strict(Array(text.utf8)).count == text.utf8.count)
  }

  @Test(arguments: [
    "[,]", "{,}", "[1,,]", "{\"a\":,}", "[1] /* open", "/", "[1 / 2]", "[1]/", "[1] /", "[1] /x/ ", "{\"a\": 1,", ",",
    "", "// only",
  ])
  func `everything else is as strict as JSON`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsingRelaxed: text) }
  }

  @Test func `an error has its position in the text with comments`() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONDocument(parsingRelaxed: "{ // one\n  /* two */ \"a\": x }")
    }
    #expect(error?.line == 2 && error?.column == 18)
  }
}
