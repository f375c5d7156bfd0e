import ApusAlgorithms
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Judges a schema by what is good practice. It need not be valid.
package enum SchemaLinter {
  package static let rules: [any SchemaLintRule.Type] = [
    NamingConvention.self, NoTypenamePrefix.self, UniqueEnumValueNames.self, RequireDescription.self,
    DescriptionStyle.self, NoHashtagDescription.self, RequireDeprecationReason.self, NoUnreachableTypes.self,
    NonNullListItems.self, OneOfCandidate.self, StrictIDInTypes.self, RelayConnectionTypes.self, RelayEdgeTypes.self,
    RelayArguments.self, RelayPageInfo.self, RelayGlobalIDs.self, NoScalarResultTypeOnMutation.self,
    RequireNullableResultInRoot.self,
  ]

  package static func rule(named name: String) -> (any SchemaLintRule.Type)? { rules.first { $0.name == name } }

  /// What somebody set for a rule.
  package struct Setting: Sendable, Equatable {
    package var severity: LintSeverity?
    /// The options by their names.
    package var options: [String: [String]]

    package init(severity: LintSeverity? = nil, options: [String: [String]] = [:]) {
      self.severity = severity
      self.options = options
    }
  }

  /// All that the rules find, in the order of the text.
  ///
  /// - Parameter settings: By the rule's name; without one, a rule is as it describes itself.
  package static func lint(_ schema: Schema, settings: [String: Setting] = [:]) -> [LintFinding] {
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

  /// A document with everything put right that certainly can be; nil where there is nothing.
  ///
  /// Definitions are taken out as long as others are left: a file that defines nothing is no schema, and to take it away is
  /// not the linter's business.
  package static func fixed(_ document: Document, _ findings: [LintFinding]) -> [UInt8]? {
    var edits = findings.filter { $0.source == document.source.name }.flatMap(\.fix)
    var removed = OrderedRanges(edits.lazy.filter(\.text.isEmpty).map(\.range))
    let isLeft = document.definitions.contains { !removed.overlaps($0.range) }
    if !isLeft {
      edits.removeAll(where: \.text.isEmpty)
      removed = OrderedRanges([])
    }
    guard !edits.isEmpty else { return nil }
    // Of a definition that is taken out, nothing else needs to be put right.
    let kept = edits.filter { edit in
      edit.text.isEmpty || !removed.overlaps(edit.range)
    }
    return kept.applied(to: document.source.bytes)
  }
}

/// Ranges in order, none of which meets another.
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
