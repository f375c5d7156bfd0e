import ApusExplorerCore
import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The differences between two versions of a schema as rows of a page, breaking changes first.
struct SchemaChangesPage {
  private let difference: SchemaDiff
  private let new: Schema

  init(from old: Schema, to new: Schema) {
    difference = SchemaDiff(from: old, to: new)
    self.new = new
  }

  var count: Int { difference.changes.count }

  func page(_ title: String) -> SchemaPage {
    var rows: [SchemaRow] = []
    if count == 0 { rows.append(SchemaRow(.text, "No differences.")) }
    for criticality in Criticality.allCases {
      let changes = difference.changes(criticality)
      guard !changes.isEmpty else { continue }
      rows.append(SchemaRow(.heading, "\(criticality.title) (\(changes.count))"))
      rows += changes.map(row)
    }
    return SchemaPage(link: .changes, title: title, rows: rows)
  }

  /// Returns the row of a change. Added, removed and retyped elements show their coordinate and type
  /// (`+ Bird.wingspan`, `Int`), other changes a message.
  private func row(_ change: SchemaChange) -> SchemaRow {
    let name = change.coordinate?.description ?? "schema"
    let (old, new) = (change.old ?? "", change.new ?? "")
    switch change.kind.direction {
    case .added: return SchemaRow(.field, "+ \(name)", type: new, link: link(change))
    case .removed: return SchemaRow(.field, "- \(name)", type: old, link: link(change))
    case .retyped: return SchemaRow(.field, "~ \(name)", type: new, note: "was \(old)", link: link(change))
    case .changed: return SchemaRow(.field, "~ \(name)", note: change.message, link: link(change))
    }
  }

  /// Returns the element's place in the newer schema; nil if neither it nor its owner exists there.
  private func link(_ change: SchemaChange) -> SchemaPageLink? {
    switch change.coordinate {
    case nil: nil
    case .type(let type): link(type)
    case .member(let member, let type), .argument(_, let member, let type): link(type, member)
    case .directive(let directive), .directiveArgument(_, let directive):
      new.directive(named: directive) == nil ? nil : SchemaPageLink(page: "@\(directive)")
    }
  }

  private func link(_ type: String, _ member: String? = nil) -> SchemaPageLink? {
    guard let definition = new.type(named: type) else { return nil }
    guard let member,
      definition.field(named: member) != nil || definition.inputField(named: member) != nil
        || definition.enumValue(named: member) != nil
    else { return SchemaPageLink(page: type) }
    return SchemaPageLink(page: type, member: member)
  }
}

extension Criticality {
  fileprivate var title: String {
    switch self {
    case .breaking: "Breaking: existing clients can fail"
    case .dangerous: "Dangerous: existing clients can get unexpected data"
    case .safe: "Safe"
    }
  }
}
