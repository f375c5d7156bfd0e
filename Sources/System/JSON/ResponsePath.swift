/// A step of a path into a response: a response key, or the index of a list.
public enum PathComponent: Hashable, Sendable {
  case key(String)
  case index(Int)
}

extension PathComponent: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .key(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

/// Where in a response something is (GraphQL specification, section 7.1.2, "Path"). The empty path is the root.
public struct ResponsePath: Hashable, Sendable {
  public var components: [PathComponent]

  public static let root = ResponsePath([])

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

  public var isRoot: Bool { components.isEmpty }
  public var count: Int { components.count }

  public func appending(_ component: PathComponent) -> ResponsePath { ResponsePath(components + [component]) }
  public func appending(_ other: ResponsePath) -> ResponsePath { ResponsePath(components + other.components) }

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
