/// A component of a response path: a response key or a list index.
public enum PathComponent: Hashable, Sendable {
  /// A response key: the alias of a field, or its name.
  case key(String)
  /// A list index, from 0.
  case index(Int)
}

extension PathComponent: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .key(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

/// A path into a response: `["birds", 0, "name"]`, shown as `birds.0.name`. The empty path is the root.
///
/// Source: GraphQL specification, section 7.1.2, "Path".
public struct ResponsePath: Hashable, Sendable {
  /// Components, from the root.
  public var components: [PathComponent]

  /// The path of the whole response.
  public static let root = ResponsePath([])

  /// Creates a path with the given components.
  public init(_ components: [PathComponent]) { self.components = components }

  /// Creates a path from its JSON form, a list of strings and nonnegative integers; nil if the value has another form.
  public init?(_ json: JSONValue) {
    guard json.kind == .array else { return nil }
    var components: [PathComponent] = []
    for element in json.elements {
      if let key = element.string {
        components.append(.key(key))
      } else if let index = element.int, index >= 0 {
        components.append(.index(index))
      } else {
        return nil
      }
    }
    self.components = components
  }

  /// Whether the path is empty.
  public var isRoot: Bool { components.isEmpty }
  /// The number of components.
  public var count: Int { components.count }

  /// Returns the path with one more component.
  public func appending(_ component: PathComponent) -> ResponsePath { ResponsePath(components + [component]) }
  /// Returns the path followed by another path.
  public func appending(_ other: ResponsePath) -> ResponsePath { ResponsePath(components + other.components) }

  /// Whether the path equals `prefix` or is below it.
  public func starts(with prefix: ResponsePath) -> Bool { components.starts(with: prefix.components) }

  /// The path as a JSON list of strings and integers.
  public var json: JSONValue {
    .array(
      components.map { component in
        switch component {
        case .key(let key): JSONValue(key)
        case .index(let index): JSONValue(index)
        }
      })
  }
}

extension ResponsePath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: PathComponent...) { self.init(elements) }
}

extension ResponsePath: CustomStringConvertible {
  /// The path in the form `birds.edges[3].node`.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}
