import ApusConfiguration
import ApusGraphQLSchema
import ApusJSON
import Synchronization

/// The rules of a mock for the results of fields, by schema coordinate.
///
///     User.name: Ann                       # a value
///     User.posts: { length: 3 }            # the length of a list or connection
///     User.avatar: { nulls: 0.5 }          # the share of nulls
///     Query.search: { delay: 800 }         # milliseconds before the field is resolved
///     Mutation.pay: { error: Card refused }
package struct MockRules: Sendable {
  /// The rule of a field. Applies in this order: delay, error, nulls, value, length.
  struct Rule: Sendable {
    var value: JSONValue?
    var length: Int?
    var error: String?
    /// In milliseconds.
    var delay: Int?
    /// The share of nulls, from 0 to 1.
    var nulls: Double?
  }

  /// Rules by coordinate. A rule of an interface is that of each type without its own.
  private var rules: [String: Rule] = [:]
  /// The number of coordinates in the file.
  package private(set) var count = 0

  package init() {}

  func rule(_ type: String, _ field: String) -> Rule? { rules.isEmpty ? nil : rules["\(type).\(field)"] }

  /// Reads rules for a schema.
  ///
  /// - Throws: The first mistake, with its line and coordinate.
  package init(_ root: YAMLNode, schema: Schema) throws(ConfigurationError) {
    guard !root.isNull else { return }
    var ofInterfaces: [(types: [TypeDefinition], field: String, rule: Rule)] = []
    for member in try root.members("a file of rules") {
      let reader = try MockRuleReader(member, in: root.file, schema: schema)
      let rule = try reader.rule(member.value)
      count += 1
      if reader.type.kind == .interface {
        ofInterfaces.append((reader.type.possibleTypes, reader.field.name, rule))
      } else {
        rules[member.key] = rule
      }
    }
    for (types, field, rule) in ofInterfaces {
      for type in types where rules["\(type.name).\(field)"] == nil { rules["\(type.name).\(field)"] = rule }
    }
  }
}

/// The rules that a running mock uses at present.
final class MockRuleBook: Sendable {
  private let current: Mutex<MockRules>

  init(_ rules: MockRules) { current = Mutex(rules) }

  func rule(_ type: String, _ field: String) -> MockRules.Rule? { current.withLock { $0.rule(type, field) } }
  func replace(by rules: MockRules) { current.withLock { $0 = rules } }
}
