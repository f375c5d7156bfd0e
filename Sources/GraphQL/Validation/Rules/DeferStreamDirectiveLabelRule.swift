import ApusGraphQLLanguage

/// The labels of `@defer` and `@stream` must be static and unique. Invalid: `... @defer(label: $label) { name }`.
///
/// Specification: Defer And Stream Directive Labels Are Unique.
enum DeferStreamDirectiveLabelRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var labels: [Int: [String: DirectiveNode]] = [:]
    for directive in context.directives.lazy.map(\.node) {
      let isDefer = directive.name.hasValue("defer")
      guard isDefer || directive.name.hasValue("stream"),
        let label = directive.argument(named: "label")?.value, !label.isMissing
      else { continue }
      // A null label is the same as no label.
      if label.kind == .null { continue }
      guard label.kind == .string else {
        context.report(
          "\(isDefer ? "Defer" : "Stream") directive label argument must be a static string.", directive)
        continue
      }
      let part = context.part(of: directive)
      if let earlier = labels[part]?[label.stringValue] {
        context.report("Defer/Stream directive label argument must be unique.", earlier, directive)
      } else {
        labels[part, default: [:]][label.stringValue] = directive
      }
    }
  }
}
