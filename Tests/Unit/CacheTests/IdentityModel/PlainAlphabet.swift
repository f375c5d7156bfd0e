/// The small alphabet of values that are compared in all combinations.
enum PlainAlphabet {
  private static let embedded = PlainValue.object(PlainObject(type: "N", fields: ["v": .number(7)]))

  /// Objects that are cached first: with a field that later writes do not select.
  static let cachedObjects: [PlainValue] = objects(
    types: ["T"], x: [nil, .null, .number(1)], references: [nil, .null, .key("N:1"), embedded], kept: true)

  /// Objects that are written over them.
  static let newObjects: [PlainValue] =
    objects(
      types: ["T", "U", nil], x: [nil, .null, .number(1), .number(2)],
      references: [nil, .null, .key("N:1"), .key("N:2"), embedded], kept: false) + [.null]

  private static func objects(
    types: [String?], x: [PlainValue?], references: [PlainValue?], kept: Bool
  ) -> [PlainValue] {
    types.flatMap { type in
      x.flatMap { x in
        references.map { reference in
          var object = PlainObject(type: type)
          object.fields["x"] = x
          object.fields["ref"] = reference
          if kept { object.fields["kept"] = .number(9) }
          return .object(object)
        }
      }
    }
  }

  /// Lists of up to two elements. `isCached` adds a field that distinguishes the elements and that later writes do not select.
  static func lists(isCached: Bool) -> [PlainValue] {
    let elements = isCached ? Array(elements.prefix(8)) : elements
    var lists: [[PlainObject]] = [[]] + elements.map { [$0] }
    for first in elements { lists += elements.map { [first, $0] } }
    return lists.map { list in
      .list(
        list.enumerated().map { index, element in
          var element = element
          if isCached {
            element.fields["kept"] = .number(10 + index)
            if case .object(var inner)? = element.fields["in"] {
              inner.fields["kept"] = .number(20 + index)
              element.fields["in"] = .object(inner)
            }
          }
          return .object(element)
        })
    }
  }

  private static let elements: [PlainObject] = [
    element(1, nil), element(2, nil), element(1, .key("N:1")), element(1, .key("N:2")),
    element(1, .key("N:1"), inner: 1), element(1, nil, type: "U"), element(1, embedded), element(1, .null),
    element(2, .key("N:1")), element(1, .key("N:1"), inner: 2), element(nil, .key("N:1")),
  ]

  private static func element(
    _ x: Int?, _ reference: PlainValue?, inner: Int? = nil, type: String = "E"
  ) -> PlainObject {
    var element = PlainObject(type: type)
    element.fields["x"] = x.map { .number($0) }
    element.fields["ref"] = reference
    element.fields["in"] = inner.map { .object(PlainObject(type: "I", fields: ["x": .number($0)])) }
    return element
  }
}
