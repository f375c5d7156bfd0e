import ApusGraphQLLanguage
import ApusGraphQLSchema

// Fields of objects and interfaces, their arguments, and fields of input objects.
extension SchemaComparison {
  mutating func compareFields(_ old: TypeDefinition, _ new: TypeDefinition) {
    for field in old.fields where new.declaredField(named: field.name) == nil {
      let coordinate = SchemaCoordinate.member(field.name, of: old.name)
      add(.fieldRemoved, coordinate, "Field \(coordinate) was removed.", old: "\(field.type)")
    }
    for field in new.fields where old.declaredField(named: field.name) == nil {
      let coordinate = SchemaCoordinate.member(field.name, of: old.name)
      add(.fieldAdded, coordinate, "Field \(coordinate) was added.", new: "\(field.type)")
    }
    for field in old.fields {
      guard let now = new.declaredField(named: field.name) else { continue }
      let coordinate = SchemaCoordinate.member(field.name, of: old.name)
      compareArguments(field, now, old.name)
      compareFieldTypes(
        field.type, now.type, isCompatible: field.type.staysReadable(as: now.type), coordinate)
      compareDescriptions(field.description, now.description, coordinate, "field \(coordinate)")
      compareDeprecations(field.deprecationReason, now.deprecationReason, coordinate)
      compareAppliedDirectives(field.node.directives, now.node.directives, coordinate, "\(coordinate)")
    }
  }

  private mutating func compareFieldTypes(
    _ old: TypeReference, _ new: TypeReference, isCompatible: Bool, _ coordinate: SchemaCoordinate
  ) {
    let (before, after) = ("\(old)", "\(new)")
    guard before != after else { return }
    add(
      isCompatible ? .fieldChangedKindSafe : .fieldChangedKind, coordinate,
      "Field \(coordinate) changed type from \(before) to \(after).", old: before, new: after)
  }

  // MARK: Arguments

  private mutating func compareArguments(_ old: FieldDefinition, _ new: FieldDefinition, _ type: String) {
    let (before, after) = (old.arguments.byName(\.name), new.arguments.byName(\.name))
    for argument in old.arguments {
      let coordinate = SchemaCoordinate.argument(argument.name, field: old.name, type: type)
      guard let now = after[argument.name] else {
        add(.argumentRemoved, coordinate, "Argument \(coordinate) was removed.", old: "\(argument.type)")
        continue
      }
      compareArgument(argument, now, coordinate)
    }
    for argument in new.arguments where before[argument.name] == nil {
      let coordinate = SchemaCoordinate.argument(argument.name, field: old.name, type: type)
      if argument.isRequired {
        add(
          .requiredArgumentAdded, coordinate, "A required argument \(coordinate) was added.", new: "\(argument.type)")
      } else {
        add(
          .optionalArgumentAdded, coordinate, "An optional argument \(coordinate) was added.", new: "\(argument.type)")
      }
    }
  }

  /// Compares an argument of a field or directive.
  mutating func compareArgument(
    _ old: InputValueDefinition, _ new: InputValueDefinition, _ coordinate: SchemaCoordinate
  ) {
    let (before, after) = ("\(old.type)", "\(new.type)")
    if before != after {
      add(
        old.type.staysWritable(as: new.type) ? .argumentChangedKindSafe : .argumentChangedKind, coordinate,
        "Argument \(coordinate) has changed type from \(before) to \(after).", old: before, new: after)
    }
    compareDefaultValues(
      old, new, coordinate, changed: .argumentDefaultValueChange, added: .argumentDefaultValueAdded,
      required: .argumentMadeRequired)
    compareDescriptions(old.description, new.description, coordinate, "argument \(coordinate)")
    compareDeprecations(old.deprecationReason, new.deprecationReason, coordinate)
    compareAppliedDirectives(old.node.directives, new.node.directives, coordinate, "\(coordinate)")
  }

  // MARK: Input objects

  mutating func compareInputFields(_ old: TypeDefinition, _ new: TypeDefinition) {
    let (before, after) = (old.inputFields.byName(\.name), new.inputFields.byName(\.name))
    for field in new.inputFields where before[field.name] == nil {
      let coordinate = SchemaCoordinate.member(field.name, of: old.name)
      if field.isRequired {
        add(.requiredInputFieldAdded, coordinate, "A required field \(coordinate) was added.", new: "\(field.type)")
      } else {
        add(.optionalInputFieldAdded, coordinate, "An optional field \(coordinate) was added.", new: "\(field.type)")
      }
    }
    for field in old.inputFields {
      let coordinate = SchemaCoordinate.member(field.name, of: old.name)
      guard let now = after[field.name] else {
        add(.fieldRemoved, coordinate, "Field \(coordinate) was removed.", old: "\(field.type)")
        continue
      }
      compareFieldTypes(field.type, now.type, isCompatible: field.type.staysWritable(as: now.type), coordinate)
      compareDefaultValues(
        field, now, coordinate, changed: .inputFieldDefaultValueChange, added: .inputFieldDefaultValueAdded,
        required: .inputFieldMadeRequired)
      compareDescriptions(field.description, now.description, coordinate, "input-field \(coordinate)")
      compareDeprecations(field.deprecationReason, now.deprecationReason, coordinate)
      compareAppliedDirectives(field.node.directives, now.node.directives, coordinate, "\(coordinate)")
    }
  }

  // MARK: Default values

  private mutating func compareDefaultValues(
    _ old: InputValueDefinition, _ new: InputValueDefinition, _ coordinate: SchemaCoordinate,
    changed: SchemaChangeKind, added: SchemaChangeKind, required: SchemaChangeKind
  ) {
    // If the type became incompatible, a changed default value is irrelevant.
    guard old.type.staysWritable(as: new.type) else { return }
    guard old.defaultValue?.canonicalText(as: old.type) != new.defaultValue?.canonicalText(as: old.type) else { return }
    switch (old.defaultValue?.sortedText, new.defaultValue?.sortedText) {
    case (let before?, nil):
      add(changed, coordinate, "\(coordinate) defaultValue was removed.", old: before)
      if new.isRequired {
        add(required, coordinate, "\(coordinate) is now required: it no longer has a default value.", old: before)
      }
    case (let before?, let after?):
      add(
        changed, coordinate, "\(coordinate) has changed defaultValue from \(before) to \(after).", old: before,
        new: after)
    case (nil, let after?):
      add(added, coordinate, "\(coordinate) added a defaultValue \(after).", new: after)
    case (nil, nil): break
    }
  }
}

extension TypeDefinition {
  /// Returns a field by name, excluding meta-fields.
  fileprivate func declaredField(named name: String) -> FieldDefinition? {
    schema.names.find(name).flatMap { declaredField(named: $0) }
  }
}

extension ValueNode {
  /// The value as text with the fields of objects sorted by name (`{ a: 1, b: 2 }`), because their order has no
  /// meaning.
  fileprivate var sortedText: String {
    switch kind {
    case .list: return "[\(elements.map(\.sortedText).joined(separator: ", "))]"
    case .object:
      let members = fields.map { ($0.name.value, $0.value.sortedText) }.sorted { $0.0 < $1.0 }
      return members.isEmpty ? "{}" : "{ \(members.map { "\($0.0): \($0.1)" }.joined(separator: ", ")) }"
    case .variable, .int, .float, .string, .boolean, .null, .enum: return Printer.print(self)
    }
  }
}
