import ApusClientOperation
import ApusJSON

/// Validity of values according to the GraphQL specification, section 3, in the simplest form.
extension CacheModel {
  /// Returns whether a value is valid for a type. For objects, only the typename is checked.
  static func isRight(_ value: JSONValue, _ type: CompiledType?) -> Bool {
    switch type {
    case nil: return true
    case .nonNull(let inner): return !value.isNull && isRight(value, inner)
    case .list(let inner):
      return value.isNull || (value.kind == .array && value.elements.allSatisfy { isRight($0, inner) })
    case .named(let name, let kind):
      if value.isNull { return true }
      switch kind {
      case .object: return value.kind == .object && value["__typename"]?.string == name
      case .abstract: return value.kind == .object
      case .enumeration: return value.kind == .string
      case .scalar:
        switch name {
        case "Int": return value.int != nil
        case "Float": return value.double != nil
        case "String": return value.kind == .string
        case "Boolean": return value.kind == .bool
        case "ID": return value.kind == .string || value.numberText?.allSatisfy { $0.isNumber || $0 == "-" } == true
        default: return true
        }
      }
    }
  }

  /// Returns whether a cached value is valid for a field, without following references.
  static func isRight(_ value: Value, _ field: PlanField) -> Bool {
    guard case .scalar(let scalar) = value else { return true }
    if field.child == nil { return isRight(scalar, field.type) }
    return scalar.isNull && field.type?.isNonNull == false
  }
}

extension CompiledType {
  var isNonNull: Bool { self != nullable }
}
