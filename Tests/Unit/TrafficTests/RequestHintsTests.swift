import Testing

@testable import ApusClientTraffic

/// Hints about requests that an application could do without.
@Suite(.timeLimit(.minutes(1)))
struct RequestHintsTests {
  private static let bird = #"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag","size":2}}}"#

  private static func body(_ document: String, _ variables: String = "{}") -> String {
    "{\"query\":\"\(document)\",\"variables\":\(variables)}"
  }

  @Test(arguments: [
    ("query A { bird { __typename id name } }", TrafficHint.Kind?.some(.cached)),
    ("query A { bird { __typename id name age } }", .partlyCached),
    ("query A { bird { __typename id age } }", nil), ("query A { fish { __typename id name } }", nil),
    ("query A { bird { __typename id name } fish { name } }", .partlyCached),
    ("query A { bird { __typename id name ... @defer { size } } }", .cached),
    ("query A { bird { __typename id name ... @defer { age } } }", .partlyCached),
    ("mutation A { bird { __typename id name } }", nil), ("subscription A { bird { __typename id name } }", nil),
    ("query A { bird { ", nil),
  ])
  func `a query is compared with the cache when it is sent`(_ document: String, _ kind: TrafficHint.Kind?) async {
    var observed = Observed()
    await observed.send(Self.body("query First { bird { __typename id name size } }"))
    await observed.answer([Self.bird])
    #expect(observed.hints.isEmpty)
    await observed.send(Self.body(document))
    #expect(observed.hints.map(\.kind) == (kind.map { [$0] } ?? []))
    #expect(observed.hints.allSatisfy { $0.request == 2 && $0.running == nil })
    #expect(observed.began.last?.hints == observed.hints)
  }

  @Test(arguments: [
    ("mutation M($n: Int) { m(n: $n) }", #"{"n":1}"#, Int?.some(1)),
    ("mutation M($n: Int) { m(n: $n) }", #"{"n":2}"#, nil),
    ("mutation M($n: Int) { m(n: $n) other }", #"{"n":1}"#, nil),
  ])
  func `an operation repeats a running one with the same variables`(
    _ document: String, _ variables: String, _ running: Int?
  ) async {
    var observed = Observed()
    await observed.send(Self.body("mutation M($n: Int) { m(n: $n) }", #"{"n":1}"#))
    await observed.send(Self.body(document, variables))
    #expect(observed.hints.map(\.running) == (running.map { [$0] } ?? []))
  }

  @Test func `an operation that ended is not repeated`() async {
    var observed = Observed()
    for _ in 0..<2 {
      await observed.send(Self.body("mutation M { m }"))
      await observed.answer([#"{"data":{"m":1}}"#])
    }
    #expect(observed.hints.isEmpty)
    await observed.send(#"[{"query":"mutation M { m }"},{"query":"mutation M { m }"}]"#)
    #expect(observed.hints == [TrafficHint(kind: .repeated, request: 4, running: 3)])
  }
}
