import ApusExplorerCore
import ApusGraphQLSchema

/// What differs between two versions of a schema, as rows of a page: what went, what came, and what became another.
struct SchemaChanges {
  private var rows: [SchemaRow] = []
  /// Those that a client of the older version can stumble over.
  private(set) var breaking: [SchemaRow] = []
  private(set) var others: [SchemaRow] = []

  init(from old: Schema, to new: Schema) {
    for type in old.types where !type.isBuiltIn {
      if let now = new.type(named: type.name) { compare(type, now) } else { add("- \(type.name)", isBreaking: true) }
    }
    for type in new.types where !type.isBuiltIn && old.type(named: type.name) == nil {
      add("+ \(type.name)", link: SchemaPlace(page: type.name))
    }
  }

  var count: Int { breaking.count + others.count }

  private mutating func compare(_ old: TypeDefinition, _ new: TypeDefinition) {
    let place = SchemaPlace(page: new.name)
    if old.kind != new.kind {
      return add("~ \(new.name)", type: "\(new.kind)", note: "was \(old.kind)", isBreaking: true, link: place)
    }
    for field in old.fields {
      let name = "\(old.name).\(field.name)"
      guard let now = new.field(named: field.name) else {
        add("- \(name)", type: field.type.description, isBreaking: true, link: place)
        continue
      }
      compare(field, now, name)
    }
    for field in new.fields where old.field(named: field.name) == nil {
      add(
        "+ \(new.name).\(field.name)", type: field.type.description,
        link: SchemaPlace(page: new.name, member: field.name))
    }
    compareInputs(old.inputFields, new.inputFields, owner: new.name, link: place)
    for value in old.enumValues where new.enumValue(named: value.name) == nil {
      add("- \(old.name).\(value.name)", isBreaking: true, link: place)
    }
    for value in new.enumValues where old.enumValue(named: value.name) == nil {
      add("+ \(new.name).\(value.name)", link: SchemaPlace(page: new.name, member: value.name))
    }
    let (before, after) = (Set(old.interfaces.map(\.name)), Set(new.interfaces.map(\.name)))
    for name in before.subtracting(after).sorted() {
      add("- \(old.name) implements \(name)", isBreaking: true, link: place)
    }
    for name in after.subtracting(before).sorted() { add("+ \(new.name) implements \(name)", link: place) }
    if new.kind == .union {
      let (before, after) = (Set(old.possibleTypes.map(\.name)), Set(new.possibleTypes.map(\.name)))
      for name in before.subtracting(after).sorted() { add("- \(old.name) has \(name)", isBreaking: true, link: place) }
      for name in after.subtracting(before).sorted() { add("+ \(new.name) has \(name)", link: place) }
    }
  }

  private mutating func compare(_ old: FieldDefinition, _ new: FieldDefinition, _ name: String) {
    let link = SchemaPlace(page: new.parentType.name, member: new.name)
    let (before, after) = (old.type.description, new.type.description)
    if before != after {
      // What could be null and no longer is breaks nobody.
      add("~ \(name)", type: after, note: "was \(before)", isBreaking: after != before + "!", link: link)
    }
    if new.isDeprecated, !old.isDeprecated {
      add("~ \(name)", type: after, note: "deprecated: \(new.deprecationReason ?? "")", link: link)
    }
    compareInputs(old.arguments, new.arguments, owner: name, link: link)
  }

  private mutating func compareInputs(
    _ old: [InputValueDefinition], _ new: [InputValueDefinition], owner: String, link: SchemaPlace
  ) {
    for input in old {
      let name = "\(owner)(\(input.name))"
      guard let now = new.first(where: { $0.name == input.name }) else {
        add("- \(name)", type: input.type.description, isBreaking: true, link: link)
        continue
      }
      let (before, after) = (input.type.description, now.type.description)
      // What must be given no longer breaks nobody.
      if before != after {
        add("~ \(name)", type: after, note: "was \(before)", isBreaking: before != after + "!", link: link)
      }
    }
    for input in new where !old.contains(where: { $0.name == input.name }) {
      add(
        "+ \(owner)(\(input.name))", type: input.type.description, note: input.isRequired ? "must be given" : "",
        isBreaking: input.isRequired, link: link)
    }
  }

  private mutating func add(
    _ name: String, type: String = "", note: String = "", isBreaking: Bool = false, link: SchemaPlace? = nil
  ) {
    let row = SchemaRow(.field, name, type: type, note: note, link: link)
    if isBreaking { breaking.append(row) } else { others.append(row) }
  }

  /// The page of the changes, the ones to look at first.
  func page(_ title: String) -> SchemaPage {
    var rows: [SchemaRow] = []
    if count == 0 { rows.append(SchemaRow(.text, "Nothing differs.")) }
    if !breaking.isEmpty {
      rows += [SchemaRow(.heading, "What a client may stumble over (\(breaking.count))")] + breaking
    }
    if !others.isEmpty { rows += [SchemaRow(.heading, "Else (\(others.count))")] + others }
    return SchemaPage(place: .changes, title: title, rows: rows)
  }
}
