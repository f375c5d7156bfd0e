import ApusClientAPI
import ApusExplorerCore
import ApusJSON
import Testing

/// Returns the rows of a tree, one line each: indentation, fold, label and content. `+` marks fresh rows.
func outline(_ tree: ResponseTree) -> [String] {
  tree.rows.map { row in
    let label =
      switch row.label {
      case .root: "data"
      case .key(let key): key
      case .index(let index), .removedItem(let index): "\(index)"
      case .range(let range): "\(range.lowerBound)-\(range.upperBound - 1)"
      case .none: ""
      }
    let content =
      switch row.content {
      case .leaf(let value): ": \(value)"
      case .container(let isList, let count, let typename):
        "\(isList ? "[\(count)]" : "{\(count)}")\(typename.map { " \($0)" } ?? "")"
      case .placeholder(let fragment): "<fragment \(fragment)>"
      case .moreItems(let stream): "<stream \(stream)>"
      case .problem(let error): "<error \(error)>"
      case .missing: " <missing>"
      }
    let fold = row.isFoldable ? (row.isOpen ? "v " : "> ") : ""
    let marks = row.fragments.isEmpty ? "" : " *\(row.fragments.map(String.init).joined(separator: ","))"
    return String(repeating: "  ", count: row.depth) + (row.isFresh ? "+" : "") + fold + label + content + marks
  }
}

func tree(_ text: String, _ change: (inout ResponseTree.Content) -> Void = { _ in }) -> ResponseTree {
  var tree = ResponseTree()
  var content = ResponseTree.Content(data: BirdStation.json(text))
  change(&content)
  tree.show(content)
  return tree
}

@Suite struct ResponseTreeTests {
  private static let birds = #"{"birds":[{"__typename":"Bird","name":"Dag"},{"name":null}],"n":1.50}"#

  @Test func `small responses are expanded`() {
    #expect(
      outline(tree(Self.birds)) == [
        "v birds[2]", "  v 0{2} Bird", #"    __typename: "Bird""#, #"    name: "Dag""#, "  v 1{1}", "    name: null",
        "n: 1.50",
      ])
  }

  @Test func `folds are kept when the next payload arrives`() {
    var birds = tree(Self.birds)
    birds.toggleFold(1)
    #expect(outline(birds) == ["v birds[2]", "  > 0{2} Bird", "  v 1{1}", "    name: null", "n: 1.50"])
    birds.list.selected = 3
    birds.show(ResponseTree.Content(data: BirdStation.json(#"{"birds":[{"name":"Dag"},{"x":1,"name":null}],"n":1}"#)))
    #expect(outline(birds) == ["v birds[2]", "  > 0{1}", "  v 1{2}", "    x: 1", "    name: null", "n: 1"])
    // The selection stays on its path.
    #expect(birds.path(ofRow: birds.list.selected) == ["birds", 1, "name"])
  }

  @Test func `only newly arrived rows are fresh`() {
    var birds = tree(#"{"bird":{"id":"1"},"n":1}"#)
    birds.show(
      ResponseTree.Content(
        data: BirdStation.json(#"{"bird":{"id":"1","song":{"kind":"trill"}},"n":1}"#), changedPaths: [["bird"]]))
    #expect(outline(birds) == ["v bird{2}", #"  id: "1""#, "  +v song{1}", #"    +kind: "trill""#, "n: 1"])
    // A payload without changes keeps the highlight; one with changes replaces it.
    birds.show(ResponseTree.Content(data: birds.data, changedPaths: nil))
    #expect(outline(birds)[2] == "  +v song{1}")
    birds.show(ResponseTree.Content(data: birds.data, changedPaths: []))
    #expect(outline(birds)[2] == "  v song{1}")
  }

  @Test func `pending fragments are shown at their paths`() {
    let pending = BirdStation.fragment(0, .pending)
    let data = #"{"station":{"birds":{"edges":[{"node":{"id":"1"}}]}}}"#
    var birds = tree(data) { $0.fragments = [pending] }
    #expect(outline(birds).suffix(2) == [#"          id: "1""#, "          <fragment 0>"])
    birds.show(
      ResponseTree.Content(data: birds.data, fragments: [BirdStation.fragment(0, .fulfilled, after: .seconds(1))]))
    #expect(outline(birds).suffix(2) == ["        v node{1} *0", #"          id: "1""#])
  }

  @Test func `errors are shown at their paths`() {
    let birds = tree(#"{"bird":null,"n":1}"#) { content in
      content.errors = [
        GraphQLError(message: "a", path: ["bird", "name"]), GraphQLError(message: "b"),
        GraphQLError(message: "c", path: ["gone"]),
      ]
    }
    #expect(outline(birds) == ["bird: null", "  <error 0>", "n: 1", "<error 2>", "<error 1>"])
  }

  @Test func `evicted fields are shown as missing`() {
    let birds = tree(#"{"bird":{"id":"1"}}"#) { $0.missing = [["bird", "name"]] }
    #expect(outline(birds) == ["v bird{1}", #"  id: "1""#, "  name <missing>"])
  }

  @Test func `long lists are split into ranges`() {
    let items = (0..<250).map { "\($0)" }.joined(separator: ",")
    var list = tree("{\"n\":[\(items)]}")
    #expect(outline(list)[0...2] == ["v n[250]", "  v 0-99[100]", "    0: 0"])
    #expect(outline(list).suffix(2) == ["  > 100-199[100]", "  > 200-249[50]"])
    list.reveal(["n", 249])
    #expect(list.path(ofRow: list.list.selected) == ["n", 249])
    #expect(list.rows.count == 1 + 3 + 100 + 50)
  }

  @Test func `items of a large list are initially folded`() {
    let text = String(repeating: "x", count: 4000)
    let items = (0..<60).map { _ in "{\"a\":\"\(text)\",\"b\":[\(String(repeating: "1,", count: 500))1]}" }
    let list = tree("{\"n\":[\(items.joined(separator: ","))]}")
    #expect(list.rows.count == 61)
    #expect(outline(list)[1] == "  > 0{2}")
  }

  @Test func `added fields are hidden`() {
    var birds = ResponseTree()
    let hidden = HiddenFields(children: ["birds": HiddenFields(names: ["__typename"])])
    birds.begin(OperationInfo(name: nil, kind: "query", hidden: hidden))
    birds.show(ResponseTree.Content(data: BirdStation.json(Self.birds)))
    #expect(outline(birds)[1...2] == ["  v 0{1} Bird", #"    name: "Dag""#])
  }

  @Test func `left folds then moves to the parent`() {
    var birds = tree(Self.birds)
    birds.list.selected = 3
    birds.foldOrLeave()
    #expect(birds.list.selected == 1)
    birds.foldOrLeave()
    #expect(birds.rows[1].isOpen == false)
    birds.unfoldOrEnter()
    birds.unfoldOrEnter()
    #expect(birds.list.selected == 2)
  }
}
