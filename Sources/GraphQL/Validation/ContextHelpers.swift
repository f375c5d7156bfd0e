import GraphQLLanguage
import GraphQLSchema

// What several rules do alike.
extension ValidationContext {
  /// Reports each name that was met before, together with the first of its kind.
  func reportRepeated(_ nodes: [NodeID], _ message: (String) -> String) {
    guard nodes.count > 1 else { return }
    var first: [UInt32: NodeID] = [:]
    for node in nodes where nameOf[Int(node)] != Self.none {
      let name = nameOf[Int(node)]
      if let earlier = first[name] { report(message(names[name]), earlier, node) } else { first[name] = node }
    }
  }

  /// Reports each name that is met more than once, with all its places.
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

  /// The `@oneOf` type that an input value is a field of.
  func oneOfOwner(of inputValue: Int) -> UInt32? {
    storage.types.firstIndex { $0.isOneOf && $0.inputFields.indices.contains(inputValue) }.map { UInt32($0) }
  }
}

extension DirectiveRecord {
  func allows(_ location: DirectiveLocation) -> Bool {
    DirectiveLocation.allCases.firstIndex(of: location).map { locations & (1 << UInt32($0)) != 0 } ?? false
  }
}
