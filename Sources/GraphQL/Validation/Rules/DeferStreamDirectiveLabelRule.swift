import ApusGraphQLLanguage

/// The labels of `@defer` and `@stream` must be static and unique.
///
/// Specification: Defer And Stream Directive Labels Are Unique.
enum DeferStreamDirectiveLabelRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var existing: [Int: [String: NodeID]] = [:]
    for id in context.directives {
      let name = context.name(id + 1)
      guard name == "defer" || name == "stream",
        let label = DirectiveNode(context.document, id).argument(named: "label")?.value, !label.isMissing
      else { continue }
      // A null label is the same as no label.
      if label.kind == .null { continue }
      guard label.kind == .string else {
        context.report("\(name == "defer" ? "Defer" : "Stream") directive label argument must be a static string.", id)
        continue
      }
      let part = context.part(of: id)
      if let earlier = existing[part]?[label.stringValue] {
        context.report("Defer/Stream directive label argument must be unique.", earlier, id)
      } else {
        existing[part, default: [:]][label.stringValue] = id
      }
    }
  }
}
