/// A way to apply `@defer` and `@stream` to an operation.
struct IncrementalShape: Sendable {
  /// A property of a shape by which audits select it.
  enum Trait: Sendable, Hashable {
    case root, object, list, nested, overlap, twoDepths, initialObject, abstract, sameField, nothingLeft, labeled,
      aliased, stream,
      streamCount(Int),
      streamEdge, streamNested, included, disabled, streamDisabled, errorInside, errorPastEdge, nullParent, streamError
  }

  let name: String
  let traits: Set<Trait>
  /// The document with its directives.
  let document: String
  /// The document without `@defer` and `@stream`.
  let plain: String
  let variables: [(String, Bool)]
  /// The root field.
  let field: DerivedField

  init(
    _ name: String, _ traits: Set<Trait>, _ field: DerivedField, variables: [(String, Bool)] = [],
    document: (IncrementalDirectives) -> String
  ) {
    self.name = name
    self.traits = traits
    self.field = field
    self.variables = variables
    self.document = document(IncrementalDirectives(isEnabled: true))
    plain = document(IncrementalDirectives(isEnabled: false))
  }
}

/// Writes directives into a document, such as `@defer(label: "a", if: true)`, or omits them.
struct IncrementalDirectives {
  let isEnabled: Bool

  func deferred(label: String? = nil, condition: String? = nil) -> String {
    directive("defer", [("label", label.map { "\"\($0)\"" }), ("if", condition)])
  }

  func stream(count: Int? = nil, condition: String? = nil) -> String {
    directive("stream", [("initialCount", count.map(String.init)), ("if", condition)])
  }

  private func directive(_ name: String, _ arguments: [(String, String?)]) -> String {
    guard isEnabled else { return "" }
    let given = arguments.compactMap { name, value in value.map { "\(name): \($0)" } }
    return given.isEmpty ? "@\(name)" : "@\(name)(\(given.joined(separator: ", ")))"
  }
}

/// Creates the shapes that a probed field allows.
enum IncrementalShapes {
  static func all(for probed: ProbedField, defers: Bool, streams: Bool) -> [IncrementalShape] {
    (defers ? deferred(probed.field) : []) + (streams ? streamed(probed) : [])
  }

  private static func deferred(_ field: DerivedField) -> [IncrementalShape] {
    guard let first = field.leaves.first, field.selections.count > 1, !field.isAbstract else {
      return onRoot(field) + abstract(field)
    }
    return onRoot(field) + onObject(field, first) + nested(field, first)
  }

  private static func onRoot(_ field: DerivedField) -> [IncrementalShape] {
    [
      IncrementalShape("root", [.root], field) { "{ __typename ... \($0.deferred()) { \(field.text) } }" },
      IncrementalShape("root, labeled", [.root, .labeled], field) {
        "{ __typename ... \($0.deferred(label: "audit")) { \(field.text) } }"
      },
      IncrementalShape("if: false", [.disabled], field) {
        "{ ... \($0.deferred(condition: "false")) { \(field.text) } }"
      },
      IncrementalShape("if: $variable", [.disabled], field, variables: [("audit", false)]) {
        "query ($audit: Boolean = false) { ... \($0.deferred(condition: "$audit")) { \(field.text) } __typename @include(if: $audit) }"
      },
      IncrementalShape("@include(if: false)", [.included], field) {
        "{ __typename ... @include(if: false) \($0.deferred()) { \(field.text) } }"
      },
      IncrementalShape("@skip(if: true)", [.included], field) {
        "{ __typename ... @skip(if: true) \($0.deferred()) { \(field.text) } }"
      },
      IncrementalShape("field in two fragments", [.sameField, .overlap], field) {
        "{ __typename ... \($0.deferred(label: "one")) { \(field.text) } ... \($0.deferred(label: "two")) { \(field.text) } }"
      },
      IncrementalShape("nothing left", [.nothingLeft], field) {
        "{ \(field.text) ... \($0.deferred()) { \(field.text) } }"
      },
    ]
  }

  private static func onObject(_ field: DerivedField, _ first: DerivedField) -> [IncrementalShape] {
    let rest = field.selections.text
    let traits: Set<IncrementalShape.Trait> = field.isList ? [.list] : [.object]
    return [
      IncrementalShape("object, inline", traits, field) {
        "{ \(field.head) { \(first.text) ... \($0.deferred()) { \(rest) } } }"
      },
      IncrementalShape("object, typed", traits, field) {
        "{ \(field.head) { \(first.text) ... on \(field.type.name) \($0.deferred()) { \(rest) } } }"
      },
      IncrementalShape("object, spread", traits, field) {
        "{ \(field.head) { \(first.text) ...Audit \($0.deferred()) } } fragment Audit on \(field.type.name) { \(rest) }"
      },
      IncrementalShape("object, aliased", traits.union([.aliased]), field) {
        "{ audit: \(field.head) { \(first.text) ... \($0.deferred(label: "audit")) { \(rest) } } }"
      },
    ]
  }

  private static func nested(_ field: DerivedField, _ first: DerivedField) -> [IncrementalShape] {
    guard let child = field.composites.first, let inner = child.leaves.first else { return [] }
    return [
      IncrementalShape("nested", [.nested], field) {
        "{ \(field.head) { \(first.text) ... \($0.deferred(label: "outer")) { \(child.head) { \(inner.text) "
          + "... \($0.deferred(label: "inner")) { \(child.selections.text) } } } } }"
      },
      IncrementalShape("shared child", [.overlap], field) {
        "{ \(field.head) { \(first.text) ... \($0.deferred(label: "one")) { \(child.head) { \(inner.text) } } "
          + "... \($0.deferred(label: "two")) { \(child.text) } } }"
      },
      IncrementalShape("child in two depths", [.twoDepths], field) {
        "{ \(field.head) { \(first.text) ... \($0.deferred(label: "outer")) { \(child.head) { \(inner.text) } } "
          + "\(child.head) { __typename ... \($0.deferred(label: "inner")) { \(inner.text) } } } }"
      },
      IncrementalShape("child in both results", [.initialObject], field) {
        "{ \(field.head) { \(child.head) { \(inner.text) } ... \($0.deferred()) { \(child.text) } } }"
      },
    ]
  }

  private static func abstract(_ field: DerivedField) -> [IncrementalShape] {
    for case .fragment(let type, let selections) in field.selections {
      return [
        IncrementalShape("one type of several", [.abstract], field) {
          "{ \(field.head) { __typename ... on \(type) \($0.deferred()) { \(selections.text) } } }"
        }
      ]
    }
    return []
  }

  private static func streamed(_ probed: ProbedField) -> [IncrementalShape] {
    let field = probed.field
    guard field.isList else { return nestedStream(field) }
    let length = probed.value?.count ?? 0
    func shape(
      _ name: String, _ traits: Set<IncrementalShape.Trait>, _ directive: @escaping (IncrementalDirectives) -> String
    )
      -> IncrementalShape
    {
      IncrementalShape(name, traits.union([.stream]), field) {
        "{ \(field.head) \(directive($0)) { \(field.selections.text) } }"
      }
    }
    return [
      shape("stream", [.streamCount(0)]) { $0.stream() },
      shape("stream, initialCount 0", [.streamCount(0)]) { $0.stream(count: 0) },
      shape("stream, initialCount 1", [.streamCount(1)]) { $0.stream(count: 1) },
      shape("stream, initialCount over the length", [.streamEdge]) { $0.stream(count: length + 5) },
      shape("stream, if: false", [.streamEdge, .streamDisabled, .disabled]) { $0.stream(count: 0, condition: "false") },
    ]
  }

  /// Returns a shape that streams an empty list.
  static func empty(_ probed: ProbedField) -> IncrementalShape {
    IncrementalShape("stream of an empty list", [.stream, .streamEdge], probed.field) {
      "{ \(probed.field.head) \($0.stream(count: 1)) { \(probed.field.selections.text) } }"
    }
  }

  private static func nestedStream(_ field: DerivedField) -> [IncrementalShape] {
    guard let list = field.composites.first(where: \.isList), let leaf = list.leaves.first else { return [] }
    return [
      IncrementalShape("stream in an object", [.stream, .streamNested], field) {
        "{ \(field.head) { \(list.head) \($0.stream(count: 1)) { \(list.selections.text) } } }"
      },
      IncrementalShape("stream with @defer in its items", [.stream, .streamNested], field) {
        "{ \(field.head) { \(list.head) \($0.stream(count: 1)) { \(leaf.text) ... \($0.deferred()) { \(list.selections.text) } } } }"
      },
    ]
  }
}
