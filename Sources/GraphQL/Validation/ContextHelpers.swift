import ApusGraphQLLanguage
import ApusGraphQLSchema

// Helpers that several rules share.
extension ValidationContext {
  /// Reports each repeated name together with its first occurrence.
  func reportRepeated(_ names: [NameNode], _ message: (String) -> String) {
    guard names.count > 1 else { return }
    var first: [NameID: NameNode] = [:]
    for name in names where nameID(of: name) != Self.none {
      if let earlier = first[nameID(of: name)] {
        report(message(name.value), earlier, name)
      } else {
        first[nameID(of: name)] = name
      }
    }
  }

  /// Reports each repeated name once, with all its occurrences.
  func reportGroups(_ names: [NameNode], _ message: (String) -> String) {
    guard names.count > 1 else { return }
    var groups: [NameID: [NameNode]] = [:]
    var order: [NameID] = []
    for name in names where nameID(of: name) != Self.none {
      let id = nameID(of: name)
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append(name)
    }
    for id in order {
      if let group = groups[id], group.count > 1 { report(message(group[0].value), nodes: group) }
    }
  }

  /// Reports each repeated member of a type, including its extensions, as `Type.member`.
  func reportRepeatedMembers(_ members: (TypeDefinitionNode) -> [NameNode], _ message: (String) -> String) {
    var first: [UInt64: NameNode] = [:]
    for type in typeDefinitions {
      for name in members(type) {
        let key = UInt64(nameID(of: type.name)) << 32 | UInt64(nameID(of: name))
        if let earlier = first[key] {
          report(message("\(type.name.value).\(name.value)"), earlier, name)
        } else {
          first[key] = name
        }
      }
    }
  }

  /// Whether an operation or one of its fragments is interpolated, or spreads a fragment that an interpolated value may
  /// define, as in `` gql`{ bird { ...Card } } ${CARD}` ``. Then unused variables are not certain.
  func reachesUnknownText(_ operation: OperationDefinitionNode) -> Bool {
    let source = document.source
    guard source.hasValues else { return false }
    if source.values(at: operation.range.lowerBound) == .insideDefinitions { return true }
    var seen: Set<NodeID> = []
    var pending = [spreads.within(operation)]
    while let spreads = pending.popLast() {
      for spread in spreads {
        guard let fragment = fragment(of: spread) else {
          if source.values(at: spread.range.lowerBound) != .none { return true }
          continue
        }
        guard seen.insert(fragment.id).inserted, spend(1) else { continue }
        if source.values(at: fragment.range.lowerBound) == .insideDefinitions { return true }
        pending.append(self.spreads.within(fragment))
      }
    }
    return false
  }

  func suggestion(_ names: [String], for name: NameNode) -> Suggestion? { Suggestion(at: name.range, names) }

  /// Returns the arguments or input fields with similar names.
  func near(_ name: String, amongMembersOf run: MemberRun) -> [String] {
    near(name, among: run.indices.count) { run.indices.map { storage.names[storage.inputValues[$0].name] } }
  }

  /// Returns the arguments of a field or directive that its definition does not have.
  func unknownArguments(_ arguments: [ArgumentNode]) -> [ArgumentNode] {
    arguments.filter { !isDefined($0) && !$0.name.isMissing }
  }

  /// Reports the missing required arguments of a field or directive.
  func reportMissingArguments(
    of owner: some SyntaxView, given: () -> [ArgumentNode], defined: MemberRun, title: () -> String
  ) {
    for index in missing(of: defined, in: owner, given: given) {
      let value = storage.inputValues[index]
      report(
        "Argument \"\(title())(\(storage.names[value.name]):)\" of type \"\(text(value.type))\" is required, but it was not provided.",
        owner)
    }
  }
}
