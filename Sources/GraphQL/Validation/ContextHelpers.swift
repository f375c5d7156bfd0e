import ApusGraphQLLanguage
import ApusGraphQLSchema

// Helpers that several rules share.
extension ValidationContext {
  /// Reports each repeated name together with its first occurrence.
  func reportRepeated(_ nodes: [NodeID], _ message: (String) -> String) {
    guard nodes.count > 1 else { return }
    var first: [UInt32: NodeID] = [:]
    for node in nodes where nameOf[Int(node)] != Self.none {
      let name = nameOf[Int(node)]
      if let earlier = first[name] { report(message(names[name]), earlier, node) } else { first[name] = node }
    }
  }

  /// Reports each repeated name once, with all its occurrences.
  func reportGroups(_ nodes: [NodeID], _ message: (String) -> String) {
    guard nodes.count > 1 else { return }
    var groups: [UInt32: [NodeID]] = [:]
    var order: [UInt32] = []
    for node in nodes where nameOf[Int(node)] != Self.none {
      let name = nameOf[Int(node)]
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(node)
    }
    for name in order {
      if let group = groups[name], group.count > 1 { report(message(names[name]), nodes: group) }
    }
  }

  /// Reports each repeated member of a type, including its extensions, as `Type.member`.
  func reportRepeatedMembers(_ kinds: Set<SyntaxKind>, _ message: (String) -> String) {
    var first: [UInt64: NodeID] = [:]
    for type in typeDefinitions {
      for member in document.children(of: type) where kinds.contains(kind(member)) {
        let name = NodeID(bodyID(member))
        let key = UInt64(nameOf[bodyID(type)]) << 32 | UInt64(nameOf[Int(name)])
        if let earlier = first[key] {
          report(message("\(definedName(type)).\(self.name(name))"), earlier, name)
        } else {
          first[key] = name
        }
      }
    }
  }

  /// Returns the first directive with the name on a node.
  func directive(_ name: String, on node: NodeID) -> NodeID? {
    document.children(of: node).first { kind($0) == .directive && self.name($0 + 1) == name }
  }

  /// Returns the arguments or input fields with similar names.
  func near(_ name: String, amongMembersOf run: MemberRun) -> [String] {
    near(name, among: run.indices.count) { run.indices.map { storage.names[storage.inputValues[$0].name] } }
  }

  /// Returns the arguments of a field or directive.
  func arguments(of node: NodeID) -> [NodeID] {
    let name = kind(node) == .field ? fieldName(node) : node + 1
    var arguments: [NodeID] = []
    var child = next(name)
    while child < next(node), kind(child) == .argument {
      arguments.append(child)
      child = next(child)
    }
    return arguments
  }

  /// Returns the arguments of a field or directive that its definition does not have.
  func unknownArguments(of node: NodeID) -> [NodeID] {
    arguments(of: node).filter { !isDefined($0) && !isMissing($0 + 1) }
  }

  /// Reports the missing required arguments of a field or directive.
  func reportMissingArguments(of node: NodeID, _ defined: MemberRun, owner: () -> String) {
    for index in missing(of: defined, in: node, given: { arguments(of: node) }) {
      let value = storage.inputValues[index]
      report(
        "Argument \"\(owner())(\(storage.names[value.name]):)\" of type \"\(text(value.type))\" is required, but it was not provided.",
        node)
    }
  }
}
