import ApusASCII

/// Header fields in the order they were set or arrived; names are compared without regard to case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One header field.
  public struct Field: Sendable, Hashable {
    /// The field's name, in the letters in which it is sent or came.
    public var name: String
    /// The field's value, as it is sent or came.
    public var value: String

    /// A field by its name and value; what no header may hold is refused when it is sent (`NetworkError.badHeader`).
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private enum Storage {
    case fields([Field])
    /// As they came: of a response's fields, few are ever asked for.
    case block(HeaderBlock)
  }

  private var storage: Storage

  /// Every field, in order; a name may occur more than once.
  public private(set) var fields: [Field] {
    get {
      switch storage {
      case .fields(let fields): fields
      case .block(let block): block.fields
      }
    }
    _modify {
      var fields = fields
      // Held only once meanwhile, they are changed where they are.
      storage = .fields([])
      defer { storage = .fields(fields) }
      yield &fields
    }
  }

  /// Header fields in this order.
  public init(_ fields: [Field] = []) {
    storage = .fields(fields)
  }

  init(_ block: HeaderBlock) {
    storage = .block(block)
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }

  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool { left.fields == right.fields }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

  /// The first value of a name. Setting replaces every field of that name; setting nil removes them.
  public subscript(name: String) -> String? {
    get {
      switch storage {
      case .fields(let fields): fields.first { Self.areEqual($0.name, name) }?.value
      case .block(let block): block.value(of: name)
      }
    }
    set {
      guard let newValue else {
        fields.removeAll { Self.areEqual($0.name, name) }
        return
      }
      guard let index = fields.firstIndex(where: { Self.areEqual($0.name, name) }) else {
        fields.append(Field(name: name, value: newValue))
        return
      }
      fields[index].value = newValue
      var seen = false
      fields.removeAll { field in
        guard Self.areEqual(field.name, name) else { return false }
        defer { seen = true }
        return seen
      }
    }
  }

  /// All values of a name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { Self.areEqual($0.name, name) }.map(\.value)
  }

  /// Adds a field and keeps those of the same name that are there.
  public mutating func add(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }

  static func areEqual(_ left: String, _ right: String) -> Bool {
    left == right || areEqual(left.utf8, right.utf8)
  }

  static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.lowercased == $1.lowercased }
  }

  /// The same without any of a collection's detours.
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index].lowercased != right[index].lowercased { return false }
    return true
  }
}
