import ApusExplorerCore
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import Synchronization

/// Fragments from other files in the folder. A document that spreads a fragment it does not define is parsed, validated
/// and sent with that fragment.
///
/// The files are read when an unknown name is missing, at most once per second, and before each run that needs a
/// fragment.
final class FragmentLibrary: Sendable {
  private struct State {
    /// The source of each fragment by name.
    var fragments: [String: String] = [:]
    var names: [LanguageService.ExternalFragment] = []
    var readAt: ContinuousClock.Instant?
  }

  private let documents: @Sendable () -> [String]
  private let state = Mutex(State())

  init(documents: @escaping @Sendable () -> [String]) { self.documents = documents }

  /// Returns the document followed by the fragments that it needs and does not define. Offsets in the document do not
  /// change.
  func completing(_ text: String, isForRun: Bool = false) -> String {
    var text = text
    var isFresh = !isForRun
    // Each round adds the fragments that the previous round's fragments need.
    for _ in 0..<20 {
      let missing = Self.missing(in: text)
      guard !missing.isEmpty else { return text }
      if !isFresh || missing.contains(where: { name in state.withLock { $0.fragments[name] == nil } }) {
        read(force: !isFresh)
        isFresh = true
      }
      let found = missing.compactMap { name in state.withLock { $0.fragments[name] } }
      guard !found.isEmpty else { return text }
      text += "\n\n" + found.joined(separator: "\n\n")
    }
    return text
  }

  /// The fragments that can be spread.
  var names: [LanguageService.ExternalFragment] {
    read(force: false)
    return state.withLock { $0.names }
  }

  func has(_ name: String) -> Bool { state.withLock { $0.fragments[name] != nil } }

  private static func missing(in text: String) -> [String] {
    // Most documents spread no fragment and need no second parse.
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
    var fragments: [String: String] = [:]
    var names: [LanguageService.ExternalFragment] = []
    for document in documents().map({ Document(parsing: $0) }) {
      for fragment in document.fragments where fragments[fragment.name.value] == nil {
        fragments[fragment.name.value] = fragment.text
        names.append(.init(name: fragment.name.value, typeCondition: fragment.typeCondition.name.value))
      }
    }
    let read = (fragments: fragments, names: names)
    state.withLock { state in
      (state.fragments, state.names) = read
      state.readAt = now
    }
  }
}
