import ExplorerText

/// What lies over the panes; the innermost one takes the keys.
package enum Popup: Hashable, Sendable {
  case help(HelpState)
  case traffic(scroll: Int)
  case palette(PaletteState)
  case line(LineState)
  case picker(PickerState)
  case difference(DifferenceState)
  case completion(CompletionState)
  case confirmation(Confirmation)
  case find(FindState)
  case hover(HoverState)
  case schema(SchemaExplorerState)
  case form(FormState)
  case jump(JumpState)
  case pagedLists(PagedListChoice)
  case pagingOffers(PagingOfferChoice)
  /// In which form to export the table.
  case export(ListCursor)
  /// The errors of the response.
  case errors(ListCursor)
}

/// Every key, narrowed by typing.
package struct HelpState: Hashable, Sendable {
  package var input = LineEditor()
  package var scroll = 0

  package init() {}

  package var filter: String { input.text }
}

package struct PaletteState: Hashable, Sendable {
  package var input = LineEditor()
  package var list = ListCursor()
  /// Whether it was opened as vim's command line, which knows more than names.
  package var isCommandLine: Bool

  package init(isCommandLine: Bool = false) {
    self.isCommandLine = isCommandLine
  }

  package var filter: String { input.text }
}

package struct CompletionState: Hashable, Sendable {
  package var items: [Completion]
  package var list = ListCursor()
  package var pane: PaneID
  /// It was asked for, or one has moved in it: then Enter takes what is selected.
  package var isAsked: Bool

  package init(items: [Completion], pane: PaneID = .query, isAsked: Bool = true) {
    self.items = items
    self.pane = pane
    self.isAsked = isAsked
  }

  package var selected: Completion? { items.indices.contains(list.selected) ? items[list.selected] : nil }
}

/// Places in a line that Tab goes to, one after the other. Counted from the line's end, they stay where they are while
/// something is written before them.
package struct SnippetStops: Hashable, Sendable {
  package var pane: PaneID
  package var line: Int
  package var bytesFromEnd: [Int]
}

/// Which of several lists to load pages of.
package struct PagedListChoice: Hashable, Sendable {
  package var lists: [PagedList]
  package var wanted: PagesWanted
  package var list = ListCursor()

  package init(lists: [PagedList], wanted: PagesWanted) {
    self.lists = lists
    self.wanted = wanted
  }

  package var selected: PagedList? { lists.indices.contains(list.selected) ? lists[list.selected] : nil }
}

/// Changes to the query that would make lists of it ones with pages.
package struct PagingOfferChoice: Hashable, Sendable {
  package var offers: [PagingOffer]
  package var list = ListCursor()

  package init(offers: [PagingOffer]) { self.offers = offers }

  package var selected: PagingOffer? { offers.indices.contains(list.selected) ? offers[list.selected] : nil }
}

/// A question before something is taken away.
package struct Confirmation: Hashable, Sendable {
  package var question: String
  package var detail: String
  /// What it is about, where that takes more than a line.
  package var lines: [String]
  /// What a yes does.
  package var effect: Effect

  /// Whether it comes up without the person having done anything.
  var isUnexpected: Bool { if case .trustProject = effect { true } else { false } }

  package init(question: String, detail: String, lines: [String] = [], effect: Effect) {
    self.question = question
    self.detail = detail
    self.lines = lines
    self.effect = effect
  }
}

/// One line that tells what just happened, until the next key.
package struct Notice: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case information, warning }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind = .information) {
    self.text = text
    self.kind = kind
  }
}
