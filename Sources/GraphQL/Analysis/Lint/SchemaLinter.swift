import ApusAlgorithms
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Checks a schema against lint rules. The schema may be invalid.
package enum SchemaLinter {
  package static let rules: [any SchemaLintRule.Type] = [
    NamingConvention.self, NoTypenamePrefix.self, UniqueEnumValueNames.self, RequireDescription.self,
    DescriptionStyle.self, NoHashtagDescription.self, RequireDeprecationReason.self, NoUnreachableTypes.self,
    NonNullListItems.self, OneOfCandidate.self, StrictIDInTypes.self, RelayConnectionTypes.self, RelayEdgeTypes.self,
    RelayArguments.self, RelayPageInfo.self, RelayGlobalIDs.self, NoScalarResultTypeOnMutation.self,
    RequireNullableResultInRoot.self,
  ]

  package static func rule(named name: String) -> (any SchemaLintRule.Type)? { rules.first { $0.name == name } }

  /// The configuration of a rule.
  package struct Setting: Sendable, Equatable {
    package var severity: LintSeverity?
    /// The values of options by name.
    package var options: [String: [String]]

    package init(severity: LintSeverity? = nil, options: [String: [String]] = [:]) {
      self.severity = severity
      self.options = options
    }
  }

  /// Returns the violations of all rules, in source order.
  ///
  /// - Parameter settings: The settings by rule name. Without one, a rule has its defaults.
  package static func lint(_ schema: Schema, settings: [String: Setting] = [:]) -> [LintDiagnostic] {
    var context = LintContext(schema, NamingConvention.self)
    for rule in rules {
      let setting = settings[rule.name] ?? Setting()
      context.rule = rule
      context.severity = setting.severity ?? rule.severity
      context.given = setting.options
      if context.severity != .off { rule.check(&context) }
    }
    let order = Dictionary(schema.documents.enumerated().map { ($1.source.name, $0) }) { first, _ in first }
    return context.findings.enumerated().sorted { left, right in
      (order[left.element.source] ?? 0, left.element.location.offset, left.offset)
        < (order[right.element.source] ?? 0, right.element.location.offset, right.offset)
    }.map(\.element)
  }

  /// Applies the fixes to a document; nil if there are none.
  ///
  /// Definitions are removed only while others remain, because an empty file is not a schema, and the linter does not
  /// delete files.
  package static func fixed(_ document: Document, _ findings: [LintDiagnostic]) -> [UInt8]? {
    var edits = findings.filter { $0.source == document.source.name }.flatMap(\.fix)
    var removed = OrderedRanges(edits.lazy.filter(\.text.isEmpty).map(\.range))
    let isLeft = document.definitions.contains { !removed.overlaps($0.range) }
    if !isLeft {
      edits.removeAll(where: \.text.isEmpty)
      removed = OrderedRanges([])
    }
    guard !edits.isEmpty else { return nil }
    // A removed definition needs no other fixes.
    let saved = edits.filter { edit in
      edit.text.isEmpty || !removed.overlaps(edit.range)
    }
    return saved.applied(to: document.source.bytes)
  }
}

/// Sorted ranges that do not overlap.
private struct OrderedRanges {
  private var all: [Range<Int>] = []

  init(_ ranges: some Sequence<Range<Int>>) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = all.last, last.upperBound >= range.lowerBound {
        all[all.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        all.append(range)
      }
    }
  }

  func overlaps(_ range: Range<Int>) -> Bool {
    let index = all.partitioningIndex { $0.upperBound > range.lowerBound }
    return index < all.count && all[index].overlaps(range)
  }
}
