import ApusExplorerCore
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import Synchronization

/// Fragments that other files of the folder define: a document that spreads one it does not define is read, judged and
/// sent with it.
///
/// The files are read when a name is missing that is not known, at most once a second, and before each run that needs any.
final class SharedFragments: Sendable {
  private struct State {
    /// The text of each fragment, by its name.
    var texts: [String: String] = [:]
    var names: [LanguageService.OtherFragment] = []
    var readAt: ContinuousClock.Instant?
  }

  private let documents: @Sendable () -> [String]
  private let state = Mutex(State())

  init(documents: @escaping @Sendable () -> [String]) { self.documents = documents }

  /// The text with the fragments behind it that it needs and does not define; places in the text stay what they are.
  func completing(_ text: String, isForRun: Bool = false) -> String {
    var text = text
    var isFresh = !isForRun
    // Each round brings what the fragments of the one before need.
    for _ in 0..<20 {
      let missing = Self.missing(in: text)
      guard !missing.isEmpty else { return text }
      if !isFresh || missing.contains(where: { name in state.withLock { $0.texts[name] == nil } }) {
        read(force: !isFresh)
        isFresh = true
      }
      let found = missing.compactMap { name in state.withLock { $0.texts[name] } }
      guard !found.isEmpty else { return text }
      text += "\n\n" + found.joined(separator: "\n\n")
    }
    return text
  }

  /// What can be spread.
  var names: [LanguageService.OtherFragment] {
    read(force: false)
    return state.withLock { $0.names }
  }

  func has(_ name: String) -> Bool { state.withLock { $0.texts[name] != nil } }

  private static func missing(in text: String) -> [String] {
    // Most texts spread nothing: they are not read once more for this.
    guard text.utf8.contains(UInt8(ascii: ".")), text.contains("...") else { return [] }
    let document = Document(parsing: text)
    let service = LanguageService(document: document, schema: nil)
    var names: [String] = []
    for name in document.operations.flatMap({ service.missingFragments(neededBy: $0) }) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  private func read(force: Bool) {
    let now = ContinuousClock.now
    let isNew = state.withLock { $0.readAt.map { now - $0 < .seconds(1) } ?? false }
    if isNew, !force { return }
    var texts: [String: String] = [:]
    var names: [LanguageService.OtherFragment] = []
    for document in documents().map({ Document(parsing: $0) }) {
      for fragment in document.fragments where texts[fragment.name.value] == nil {
        texts[fragment.name.value] = fragment.text
        names.append(.init(name: fragment.name.value, typeCondition: fragment.typeCondition.name.value))
      }
    }
    let read = (texts: texts, names: names)
    state.withLock { state in
      (state.texts, state.names) = read
      state.readAt = now
    }
  }
}
