extension Document {
  /// The descriptions of operations, fragments and variables, which servers before the specification of September 2025
  /// refuse.
  package var executableDescriptions: [Range<Int>] {
    nodes.indices.compactMap { index in
      guard nodes[index].flags.contains(.hasDescription) else { return nil }
      switch nodes[index].kind {
      case .operationDefinition, .fragmentDefinition, .variableDefinition: return nodes[index + 1].range
      default: return nil
      }
    }
  }
}
