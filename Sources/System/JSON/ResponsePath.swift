/// A step of a path into a response: a response key, or the index of a list.
public enum PathComponent: Hashable, Sendable {
  /// A response key: a field's alias, or its name.
  case key(String)
  /// The index in a list, from 0.
  case index(Int)
}

extension PathComponent: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .key(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

/// Where in a response something is (GraphQL specification, section 7.1.2, "Path"). The empty path is the root.
public struct ResponsePath: Hashable, Sendable {
  /// The steps from the root, the outermost first.
  public var components: [PathComponent]

  /// The path of the whole response.
  public static let root = ResponsePath([])

  /// A path of these steps.
  public init(_ components: [PathComponent]) { self.components = components }

  /// The path that a response gives as a list of strings and numbers; nil when it is none.
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

  /// Whether it is the path of the whole response.
  public var isRoot: Bool { components.isEmpty }
  /// How many steps it has.
  public var count: Int { components.count }

  /// The path one step further.
  public func appending(_ component: PathComponent) -> ResponsePath { ResponsePath(components + [component]) }
  /// The path that goes on along another.
  public func appending(_ other: ResponsePath) -> ResponsePath { ResponsePath(components + other.components) }

  /// Whether the path leads to `prefix` or to something beneath it.
  public func starts(with prefix: ResponsePath) -> Bool { components.starts(with: prefix.components) }

  /// As a response writes it: a list of strings and numbers.
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
  /// `birds.edges[3].node`
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
