import ApusExplorerCore
import ApusGraphQLDifference
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What differs between two versions of a schema, as rows of a page: the worst first.
struct SchemaChanges {
  private let difference: SchemaDifference
  private let new: Schema

  init(from old: Schema, to new: Schema) {
    difference = SchemaDifference(from: old, to: new)
    self.new = new
  }

  var count: Int { difference.changes.count }

  func page(_ title: String) -> SchemaPage {
    var rows: [SchemaRow] = []
    if count == 0 { rows.append(SchemaRow(.text, "Nothing differs.")) }
    for criticality in Criticality.allCases {
      let changes = difference.changes(criticality)
      guard !changes.isEmpty else { continue }
      rows.append(SchemaRow(.heading, "\(criticality.title) (\(changes.count))"))
      rows += changes.map(row)
    }
    return SchemaPage(place: .changes, title: title, rows: rows)
  }

  /// What came, went or has another type is told by its coordinate and its type, everything else in words.
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

  /// Where it stands in the newer schema; nil where it is gone with all that it was in.
  private func link(_ change: SchemaChange) -> SchemaPlace? {
    switch change.coordinate {
    case nil: nil
    case .type(let type): place(type)
    case .member(let member, let type), .argument(_, let member, let type): place(type, member)
    case .directive(let directive), .directiveArgument(_, let directive):
      new.directive(named: directive) == nil ? nil : SchemaPlace(page: "@\(directive)")
    }
  }

  private func place(_ type: String, _ member: String? = nil) -> SchemaPlace? {
    guard let known = new.type(named: type) else { return nil }
    guard let member,
      known.field(named: member) != nil || known.inputField(named: member) != nil
        || known.enumValue(named: member) != nil
    else { return SchemaPlace(page: type) }
    return SchemaPlace(page: type, member: member)
  }
}

extension Criticality {
  fileprivate var title: String {
    switch self {
    case .breaking: "Breaking: a client may stumble over it"
    case .dangerous: "Dangerous: a client may get what it does not expect"
    case .safe: "Safe"
    }
  }
}
