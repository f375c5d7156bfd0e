import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A type must implement each interface once, implement the interfaces of its interfaces, and not implement itself.
/// Invalid: `type Bird implements Node & Node { id: ID! }`.
///
/// Specification: Objects and Interfaces, Type Validation.
enum ImplementedInterfacesRule: ValidationRule {
  /// The interfaces that a type and its extensions declare.
  private struct Declared {
    /// The interfaces in order, with repetitions.
    private(set) var interfaces: [TypeDefinition] = []
    /// The interfaces without repetitions.
    private(set) var different: [TypeDefinition] = []
    /// All nodes that name each interface.
    private(set) var nodes: [TypeDefinition: [NamedTypeNode]] = [:]

    init(_ type: TypeDefinition, _ context: ValidationContext) {
      for node in context.parts(of: type).flatMap(\.interfaces) {
        guard let interface = context.type(named: node) else { continue }
        interfaces.append(interface)
        if nodes[interface] == nil { different.append(interface) }
        nodes[interface, default: []].append(node)
      }
    }
  }

  static func check(_ context: ValidationContext) {
    var declaredByType: [TypeDefinition: Declared] = [:]
    func declared(_ type: TypeDefinition) -> Declared {
      if let declared = declaredByType[type] { return declared }
      let declared = Declared(type, context)
      declaredByType[type] = declared
      return declared
    }
    for type in context.ownTypes where !context.isStopped {
      switch type.kind {
      case .object, .interface: check(type, declared, context)
      case .scalar, .union, .enum, .inputObject: break
      }
    }
  }

  private static func check(
    _ type: TypeDefinition, _ declared: (TypeDefinition) -> Declared, _ context: ValidationContext
  ) {
    let declaredInterfaces = declared(type)
    var seen: Set<TypeDefinition> = []
    for interface in declaredInterfaces.interfaces {
      let nodes = declaredInterfaces.nodes[interface] ?? []
      guard interface.kind == .interface else {
        context.report(
          "Type \(type.name) must only implement Interface types, it cannot implement \(interface.name).", nodes: nodes)
        continue
      }
      if interface == type {
        context.report(
          "Type \(type.name) cannot implement itself because it would create a circular reference.", nodes: nodes)
      }
      guard seen.insert(interface).inserted else {
        context.report("Type \(type.name) can only implement \(interface.name) once.", nodes: nodes)
        continue
      }
      let inherited = declared(interface)
      for ancestor in inherited.different where declaredInterfaces.nodes[ancestor] == nil && !context.isStopped {
        let message =
          ancestor == type
          ? "Type \(type.name) cannot implement \(interface.name) because it would create a circular reference."
          : "Type \(type.name) must implement \(ancestor.name) because it is implemented by \(interface.name)."
        context.report(message, nodes: (inherited.nodes[ancestor] ?? []) + nodes)
      }
    }
  }
}
