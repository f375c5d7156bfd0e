import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerText
import Testing

/// The text of an editor with its cursor as `‸` and the other end of the selection as `«`.
struct MarkedText: Equatable, CustomStringConvertible {
  var text: String
  var selection: TextSelection

  init(_ marked: String) {
    var plain = ""
    var (cursor, anchor): (Int?, Int?) = (nil, nil)
    for character in marked {
      switch character {
      case "‸": cursor = plain.utf8.count
      case "«": anchor = plain.utf8.count
      default: plain.append(character)
      }
    }
    text = plain
    let buffer = TextBuffer(plain)
    let place = buffer.position(of: cursor ?? plain.utf8.count)
    selection = TextSelection(anchor: anchor.map { buffer.position(of: $0) } ?? place, cursor: place)
  }

  init(_ editor: Editor) {
    text = editor.text
    selection = editor.selection
  }

  var description: String {
    let buffer = TextBuffer(text)
    var bytes = Array(text.utf8)
    var marks = [(buffer.offset(of: selection.cursor), "‸")]
    if !selection.isEmpty { marks.append((buffer.offset(of: selection.anchor), "«")) }
    for (offset, mark) in marks.sorted(by: { $0.0 > $1.0 }) { bytes.insert(contentsOf: Array(mark.utf8), at: offset) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Types keys into the query or the variables and compares the result. In `keys`, names in angle brackets are keys, and
/// everything else is typed: `query<Enter><Ctrl-Z>`.
func expectEditing(
  _ before: String, _ keys: String, _ after: String, in pane: PaneID = .query, clipboard: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let marked = MarkedText(before)
  var state = ExplorerState(endpoint: "test")
  state.typing.clipboard = clipboard
  var editor = Editor(marked.text, language: pane == .query ? .graphQL : .json)
  editor.select(marked.selection)
  if pane == .query { state.tab.editors.query = editor } else { state.tab.editors.variables = editor }
  state.screen.focus = pane
  var reader = KeyReader()
  for key in parsedKeys(keys) {
    let actions = reader.actions(for: key, in: state, .standard)
    if actions.isEmpty {
      Issue.record("\(key) does nothing", sourceLocation: sourceLocation)
      return
    }
    for action in actions { _ = update(&state, action) }
  }
  let result = MarkedText(pane == .query ? state.tab.editors.query : state.tab.editors.variables)
  #expect(result.description == MarkedText(after).description, sourceLocation: sourceLocation)
}

func parsedKeys(_ text: String) -> [KeyPress] {
  var keys: [KeyPress] = []
  var rest = text[...]
  while let first = rest.first {
    if first == "<", let end = rest.firstIndex(of: ">"),
      let key = KeyPress(String(rest[rest.index(after: rest.startIndex)..<end]))
    {
      keys.append(key)
      rest = rest[rest.index(after: end)...]
    } else {
      keys.append(KeyPress(.character(first)))
      rest = rest.dropFirst()
    }
  }
  return keys
}
