import ApusGraphQLLanguage

/// Objects and interfaces implement interfaces, each once, and those that these implement too, but never themselves.
///
/// Specification: Objects and Interfaces, Type Validation.
enum ImplementedInterfacesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.ownTypes {
      switch context.storage.types[Int(type)].kind {
      case .object, .interface: check(type, context)
      default: break
      }
    }
  }

  private static func check(_ type: UInt32, _ context: ValidationContext) {
    let title = context.typeName(type)
    let nodes = declared(type, context)
    let own = Set(nodes.compactMap(context.type))
    var seen: Set<UInt32> = []
    for node in nodes {
      guard let interface = context.type(node) else { continue }
      let name = context.typeName(interface)
      func places() -> [NodeID] { nodes.filter { context.type($0) == interface } }
      guard context.storage.types[Int(interface)].kind == .interface else {
        context.report(
          "Type \(title) must only implement Interface types, it cannot implement \(name).", nodes: places())
        continue
      }
      if interface == type {
        context.report(
          "Type \(title) cannot implement itself because it would create a circular reference.", nodes: places())
      }
      guard seen.insert(interface).inserted else {
        context.report("Type \(title) can only implement \(name) once.", nodes: places())
        continue
      }
      let inherited = declared(interface, context)
      for node in inherited {
        guard let ancestor = context.type(node), !own.contains(ancestor) else { continue }
        let message =
          ancestor == type
          ? "Type \(title) cannot implement \(name) because it would create a circular reference."
          : "Type \(title) must implement \(context.typeName(ancestor)) because it is implemented by \(name)."
        context.report(message, nodes: inherited.filter { context.type($0) == ancestor } + places())
      }
    }
  }

  /// The interfaces that a type and its extensions name.
  private static func declared(_ type: UInt32, _ context: ValidationContext) -> [NodeID] {
    context.parts(of: type).flatMap { context.children($0, .namedType) }
  }
}
