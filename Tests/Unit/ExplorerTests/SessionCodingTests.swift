import ApusClientAPI
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusExplorerPersistence

/// Every member of a session file and of its response files survives reading and writing, by itself and with all others.
@Suite struct SessionCodingTests {
  private func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

  /// The members that every tab has, and those that a tab may have.
  private static let tab = #"""
    {"id":7,"query":{"text":"{ a }","cursor":[0,0],"anchor":[0,0],"scroll":[0,0]},
    "variables":{"text":"","cursor":[0,0],"anchor":[0,0],"scroll":[0,0]},
    "headers":{"text":"","cursor":[0,0],"anchor":[0,0],"scroll":[0,0]},
    "cachePolicy":"networkOnly","place":{"folds":[],"selected":0,"scroll":0}}
    """#

  private static let tabMembers = [
    #"{"id":1}"#, #"{"name":"Birds"}"#, #"{"file":{"path":"a.graphql","savedQuery":"{ b }","savedVariables":"{}"}}"#,
    #"{"file":{"path":"a","savedQuery":"{ b(p: ) }","savedVariables":"","queryReferences":[[7,8]]}}"#,
    #"{"file":{"path":"a","savedQuery":"{ b }","savedVariables":"{\"p\": }","variablesReferences":[[6,7]]}}"#,
    #"{"operations":[{"name":"A","kind":"query","lines":[0,2],"firstField":"a"},{"name":null,"kind":"mutation","lines":[3,3],"firstField":null}]}"#,
    #"{"query":{"text":"a\nb\nc","cursor":[1,1],"anchor":[0,1],"scroll":[2,0],"wraps":true,"folds":[[0,1]],"done":[{"kind":"typing","before":[[0,0],[0,0]],"after":[[0,1],[0,2]],"edits":[[[0,0],"x","y"]]}],"undone":[{"kind":"other","before":[[0,0],[1,0]],"after":[[0,1],[0,1]],"edits":[[[1,0],"","z"]]}]}}"#,
    #"{"variables":{"text":"{}","cursor":[0,2],"anchor":[0,1],"scroll":[0,0],"folds":[[0,0]]}}"#,
    #"{"headers":{"text":"a: b","cursor":[0,4],"anchor":[0,4],"scroll":[0,0],"wraps":true},"headerOrigins":[["https://a.example"],null,[]]}"#,
    #"{"endpoint":{"name":"birds","url":"https://a.example","lacksSecrets":false}}"#,
    #"{"endpoint":{"name":null,"url":"https://a.example/?k=","lacksSecrets":true}}"#,
    #"{"cachePolicy":"cacheFirst"}"#, #"{"extensions":"{}"}"#,
    #"{"extensions":"{}","extensionsOrigin":"https://a.example"}"#, #"{"extensions":"{}","extensionsOrigin":null}"#,
    #"{"usesGET":true}"#, #"{"timeLimit":30}"#, #"{"usesPersistedQueries":true}"#, #"{"onError":"HALT"}"#,
    #"{"importedURL":"{{base}}/graphql"}"#, #"{"references":["base","id"]}"#,
    #"{"subscriptionURL":"wss://a.example","subscriptionOrigin":"https://a.example"}"#,
    #"{"subscriptionURL":"wss://a.example","subscriptionOrigin":null}"#,
    #"{"place":{"folds":[{"open":false,"path":["a",0,[10,20],"b"]},{"open":true,"path":["c"]}],"selected":3,"scroll":2}}"#,
    #"{"deferred":{"order":"time","reversed":true,"filter":"b"}}"#, #"{"responseRun":4}"#,
  ]

  private static let session = #"""
    {"version":3,"shownTab":0,"focus":"query","recentPanes":["query"],
    "arrangement":{"layout":"columns","width":0,"height":0,"zoomed":false},"theme":null,"tabs":[\#(tab)]}
    """#

  private static let sessionMembers = [
    #"{"shownTab":1}"#, #"{"focus":"cache"}"#, #"{"recentPanes":["headers","response","deferred"]}"#,
    #"{"arrangement":{"layout":"rows","width":-35,"height":40,"zoomed":true}}"#, #"{"theme":"Apus light"}"#,
    #"{"tabs":[\#(tab),\#(tab)]}"#,
  ]

  private static let response = #"""
    {"version":3,"run":2,"name":null,"kind":null,"hidden":null,"parts":1,"pages":0,"bytes":0,"microseconds":0,
    "status":"complete","fragments":[],"missing":[]}
    """#

  private static let responseMembers = [
    #"{"run":3}"#,
    #"{"name":"A","kind":"query","hidden":{"names":["a","b"],"children":{"c":{"names":["d"],"children":{}}}}}"#,
    #"{"kind":"mutation","hidden":{"names":[],"children":{}}}"#, #"{"parts":2}"#, #"{"pages":4}"#, #"{"bytes":5}"#,
    #"{"microseconds":6}"#, #"{"status":"failed"}"#, #"{"status":"cancelled"}"#, #"{"data":null}"#,
    #"{"data":{"a":1}}"#,
    #"{"errors":[{"message":"no"}]}"#, #"{"extensions":{"cost":1}}"#,
    #"{"failure":{"stage":"server","message":"down","summary":"gone"}}"#,
    #"{"failure":{"stage":"document","message":"down","summary":null}}"#,
    #"{"fragments":[{"id":1,"path":["a",0],"label":"l","type":"T","name":"F","announced":7,"microseconds":8,"shortfall":"cut","state":"fulfilled"}]}"#,
    #"{"fragments":[{"id":1,"path":[],"state":"pending"},{"id":2,"path":[],"state":"notExecuted"},{"id":3,"path":[],"errors":[{"message":"no"}]}]}"#,
    #"{"missing":[["a",1,"b"],[]]}"#,
    #"{"cacheUse":{"fromCache":1,"fromNetwork":2,"misses":[{"path":["a"],"record":"R","field":"f","reason":"none","hasRecord":true}],"refetchedAfter":null}}"#,
    #"{"cacheUse":{"fromCache":0,"fromNetwork":0,"misses":[],"refetchedAfter":"a"}}"#,
  ]

  /// Returns an object whose members are replaced by those of others.
  private func merged(_ base: String, _ others: some Sequence<String>) throws -> JSONValue {
    var members = try json(base).members.map { ($0.key, $0.value) }
    for other in others {
      for (key, value) in try json(other).members {
        members.removeAll { $0.0 == key }
        members.append((key, value))
      }
    }
    return .object(members)
  }

  private func check(session: JSONValue) throws {
    let decoded = try #require(SessionCoding.decode(session))
    #expect(SessionCoding.encode(decoded) == session)
  }

  @Test(arguments: tabMembers.map { [$0] } + [tabMembers, []])
  func `each member of a tab is restored`(members: [String]) throws {
    let tab = try merged(Self.tab, members)
    try check(session: merged(Self.session, [#"{"tabs":[\#(tab)]}"#]))
  }

  @Test(arguments: sessionMembers.map { [$0] } + [sessionMembers, []])
  func `each member of a session is restored`(members: [String]) throws {
    try check(session: merged(Self.session, members))
  }

  @Test(arguments: responseMembers.map { [$0] } + [responseMembers, []])
  func `each member of a response is restored`(members: [String]) throws {
    let response = try merged(Self.response, members)
    #expect(SessionCoding.encode(try #require(SessionCoding.decodeResponse(response))) == response)
  }

  @Test func `an outcome is empty without errors, extensions and a failure`() {
    for set in 0..<8 {
      let outcome = ResponseOutcome(
        errors: set & 1 == 1 ? [GraphQLError(message: "no")] : [], extensions: set & 2 == 2 ? .null : nil,
        failure: set & 4 == 4 ? RunError(.network, "down") : nil)
      #expect(outcome.isEmpty == (set == 0))
      #expect(ResponseOutcome(.object(outcome.members)) == outcome)
    }
  }

  /// A damaged member, and the one that is read in its place.
  @Test(arguments: [
    (
      #"{"query":{"folds":[[1,0],[2],[0,1],"x"],"cursor":[-1,-2]}}"#,
      #"{"query":{"text":"","cursor":[0,0],"anchor":[0,0],"scroll":[0,0],"folds":[[0,1]]}}"#
    ),
    (
      #"{"operations":[{"kind":"query","lines":[2,1]},{"kind":"query","lines":[-1,1]},{"kind":"query","lines":[1]},{"lines":[0,1]}]}"#,
      "{}"
    ),
    (
      #"{"place":{"folds":[{"path":["a",[2,1],[5],null]}]}}"#,
      #"{"place":{"folds":[{"open":true,"path":["a"]}],"selected":0,"scroll":0}}"#
    ),
    (#"{"endpoint":{"name":"a","url":""}}"#, "{}"), (#"{"timeLimit":0}"#, "{}"), (#"{"timeLimit":-1}"#, "{}"),
    (#"{"file":{"savedQuery":"a"}}"#, "{}"), (#"{"cachePolicy":"x","onError":"x"}"#, #"{"cachePolicy":"networkOnly"}"#),
  ])
  func `a damaged member of a tab is left out`(damaged: String, restored: String) throws {
    let session = try merged(Self.session, [#"{"tabs":[\#(merged(Self.tab, [damaged]))]}"#])
    let expected = try merged(Self.session, [#"{"tabs":[\#(merged(Self.tab, [restored]))]}"#])
    #expect(SessionCoding.encode(try #require(SessionCoding.decode(session))) == expected)
  }

  @Test(arguments: [#"{"version":2}"#, #"{"version":4}"#, #"{"version":null}"#, #"{"tabs":[]}"#, #"{"tabs":{}}"#])
  func `another version and a session without tabs are not read`(member: String) throws {
    #expect(SessionCoding.decode(try merged(Self.session, [member])) == nil)
    if member.contains("version") { #expect(SessionCoding.decodeResponse(try merged(Self.response, [member])) == nil) }
  }

  @Test func `a size of the editors beyond the limits is the limit`() throws {
    for (given, size) in [(-36, -35), (-35, -35), (40, 40), (41, 40)] {
      let arrangement = { (size: Int) in
        #"{"arrangement":{"layout":"columns","width":\#(size),"height":\#(size),"zoomed":false}}"#
      }
      let decoded = try #require(SessionCoding.decode(try merged(Self.session, [arrangement(given)])))
      #expect(SessionCoding.encode(decoded) == (try merged(Self.session, [arrangement(size)])))
    }
  }

  /// The schemas that are written one after another, and the earlier one that is known after each.
  @Test func `a schema that differs keeps the one before it`() throws {
    let folder = try TemporaryFolder()
    let store = SchemaStore(endpoint: "https://a.example", folders: UserFolders(environment: ["HOME": folder.root]))
    #expect(store.read() == nil && store.loadEarlier() == nil)
    for (name, earlier) in [("A", nil), ("A", nil), ("B", "A"), ("B", "A"), ("C", "B"), ("A", "C")] {
      #expect(store.write(Schema.load(sdl: "type Query { a: Int } type \(name) { a: Int }")))
      #expect(store.load()?.schema.type(named: name) != nil)
      #expect((store.loadEarlier() == nil) == (earlier == nil))
      if let earlier { #expect(store.loadEarlier()?.schema.type(named: earlier) != nil) }
    }
  }
}
