import ApusClientAPI
import ApusJSON

/// Reading members that may have the wrong type. A protocol violation becomes an error of its entry only.
extension IncrementalMerger {
  /// Processes one entry of a payload. A protocol violation becomes an error of that entry only.
  mutating func attempt(
    _ entry: PayloadMembers, _ work: (inout IncrementalMerger) throws(IncrementalError) -> Void
  ) {
    do throws(IncrementalError) {
      try work(&self)
    } catch {
      report(error, entry)
    }
  }

  mutating func report(_ violation: IncrementalError, _ entry: PayloadMembers? = nil) {
    violations.append(violation)
    errors.append(error(violation, entry))
  }

  /// Returns a violation as an error of the result, with the path and id of its entry.
  func error(_ violation: IncrementalError, _ entry: PayloadMembers?) -> GraphQLError {
    let id = identifier(entry?.id)
    let path = violation.place ?? (try? self.path(entry?.path)) ?? id.flatMap { announcements[$0]?.path }
    let members: [(String, JSONValue)] = [("code", JSONValue(IncrementalError.code))]
    return GraphQLError(
      message: violation.description, path: path,
      extensions: .object(members + (id.map { [("id", JSONValue($0))] } ?? [])))
  }

  func path(_ value: JSONValue?) throws(IncrementalError) -> ResponsePath? {
    guard let value else { return nil }
    guard let path = ResponsePath(value) else { throw .brokenPath }
    return path
  }

  /// Returns the objects in a list member of a payload. Anything else is reported.
  mutating func entries(_ name: String, _ list: JSONValue?) -> [PayloadMembers] {
    guard let list else { return [] }
    guard list.kind == .array, list.elements.allSatisfy({ $0.kind == .object }) else {
      report(.malformed(name, "a list of objects"))
      return list.elements.filter { $0.kind == .object }.map { PayloadMembers($0) }
    }
    return list.elements.map { PayloadMembers($0) }
  }

  /// Ids are strings, but some servers send numbers.
  func identifier(_ value: JSONValue?) -> String? {
    value?.string ?? value?.numberText
  }
}
