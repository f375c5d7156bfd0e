import ApusGraphQLLanguage

/// A type must implement each interface once, implement the interfaces of its interfaces, and not implement itself.
///
/// Specification: Objects and Interfaces, Type Validation.
enum ImplementedInterfacesRule: ValidationRule {
  /// The interfaces that a type and its extensions declare.
  private struct Declared {
    /// The interfaces in order, with repetitions.
    private(set) var interfaces: [UInt32] = []
    /// The interfaces without repetitions.
    private(set) var different: [UInt32] = []
    /// All nodes that name each interface.
    private(set) var nodes: [UInt32: [NodeID]] = [:]

    init(_ type: UInt32, _ context: ValidationContext) {
      for node in context.parts(of: type).flatMap({ context.children($0, .namedType) }) {
        guard let interface = context.type(node) else { continue }
        interfaces.append(interface)
        if nodes[interface] == nil { different.append(interface) }
        nodes[interface, default: []].append(node)
      }
    }
  }

  static func check(_ context: ValidationContext) {
    var existing: [UInt32: Declared] = [:]
    func declared(_ type: UInt32) -> Declared {
      if let declared = existing[type] { return declared }
      let declared = Declared(type, context)
      existing[type] = declared
      return declared
    }
    for type in context.ownTypes where !context.isStopped {
      switch context.kind(ofType: type) {
      case .object, .interface: check(type, declared, context)
      default: break
      }
    }
  }

  private static func check(_ type: UInt32, _ declared: (UInt32) -> Declared, _ context: ValidationContext) {
    let title = context.typeName(type)
    let declaredInterfaces = declared(type)
    var seen: Set<UInt32> = []
    for interface in declaredInterfaces.interfaces {
      let name = context.typeName(interface)
      let places = declaredInterfaces.nodes[interface] ?? []
      guard context.kind(ofType: interface) == .interface else {
        context.report(
          "Type \(title) must only implement Interface types, it cannot implement \(name).", nodes: places)
        continue
      }
      if interface == type {
        context.report(
          "Type \(title) cannot implement itself because it would create a circular reference.", nodes: places)
      }
      guard seen.insert(interface).inserted else {
        context.report("Type \(title) can only implement \(name) once.", nodes: places)
        continue
      }
      let inherited = declared(interface)
      for ancestor in inherited.different where declaredInterfaces.nodes[ancestor] == nil && !context.isStopped {
        let message =
          ancestor == type
          ? "Type \(title) cannot implement \(name) because it would create a circular reference."
          : "Type \(title) must implement \(context.typeName(ancestor)) because it is implemented by \(name)."
        context.report(message, nodes: (inherited.nodes[ancestor] ?? []) + places)
      }
    }
  }
}
