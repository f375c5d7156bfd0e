import ApusClientRecords
import ApusJSON

/// A response as the normalizer reads it: JSON text as received, or values in memory.
protocol ResponseSource {
  /// The location of a value in the response.
  associatedtype Place

  func kind(of place: Place) -> JSONValue.Kind
  /// Calls `body` with the bytes of each member's key and its value, until `body` returns false.
  func forEachMember(of object: Place, _ body: (UnsafeBufferPointer<UInt8>, Place) -> Bool)
  func forEachItem(of list: Place, _ body: (Place) -> Void)
  /// Calls `body` with the characters of a string or the digits of a number. Returns `nil` if they are not available as
  /// bytes.
  func withPlainText<Result>(of place: Place, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result?
  /// Calls `body` with a scalar in its stored form.
  func withStored(_ place: Place, _ body: (UnsafeBufferPointer<UInt8>, _ isString: Bool) -> Void)
  func json(_ place: Place) -> JSONValue
  /// Returns the location in the text, if the value is completely part of one text.
  func text(of place: Place) -> (source: TextSource, place: TapePosition)?
}

/// A response in one JSON text, which is read from its tape without creating values.
struct TextSource: ResponseSource {
  private let document: JSONDocument
  private let tape: Tape

  init(_ document: JSONDocument) { (self.document, tape) = (document, Tape(document)) }

  func kind(of place: TapePosition) -> JSONValue.Kind { tape.valueKind(place) }

  @inline(__always)
  func forEachMember(of object: TapePosition, _ body: (UnsafeBufferPointer<UInt8>, TapePosition) -> Bool) {
    var key = tape.inside(object)
    let end = tape.end(object)
    while key.isBefore(end) {
      let value = tape.next(key)
      if tape.hasEscape(key) {
        var text = document.value(at: key).string ?? ""
        guard text.withUTF8({ body($0, value) }) else { return }
      } else {
        guard body(tape.raw(key), value) else { return }
      }
      key = tape.next(value)
    }
  }

  func forEachItem(of list: TapePosition, _ body: (TapePosition) -> Void) {
    var item = tape.inside(list)
    let end = tape.end(list)
    while item.isBefore(end) {
      body(item)
      item = tape.next(item)
    }
  }

  @inline(__always)
  func withPlainText<Result>(of place: TapePosition, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    let kind = tape.kind(place)
    guard kind == Tape.Kind.number || (kind == Tape.Kind.string && !tape.hasEscape(place)) else { return nil }
    return body(tape.raw(place))
  }

  @inline(__always)
  func withStored(_ place: TapePosition, _ body: (UnsafeBufferPointer<UInt8>, _ isString: Bool) -> Void) {
    let kind = tape.kind(place)
    if kind >= Tape.Kind.array { return JSONBytes.withStored(json(place), body) }
    let raw = tape.raw(place)
    guard kind == Tape.Kind.string, tape.hasEscape(place) else { return body(raw, kind == Tape.Kind.string) }
    // A string with its quotes is its own JSON text.
    body(UnsafeBufferPointer(start: tape.start(place) - 1, count: raw.count + 2), false)
  }

  func json(_ place: TapePosition) -> JSONValue { document.value(at: place) }

  func text(of place: TapePosition) -> (source: TextSource, place: TapePosition)? { nil }
}

/// A response that was assembled or changed in memory. Parts of it can still be text.
struct ValueSource: ResponseSource {
  func kind(of place: JSONValue) -> JSONValue.Kind { place.kind }

  func forEachMember(of object: JSONValue, _ body: (UnsafeBufferPointer<UInt8>, JSONValue) -> Bool) {
    object.forEachMember(body)
  }

  func forEachItem(of list: JSONValue, _ body: (JSONValue) -> Void) { list.elements.forEach(body) }

  func withPlainText<Result>(of place: JSONValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    JSONBytes.withIdentifier(place, body)
  }

  func withStored(_ place: JSONValue, _ body: (UnsafeBufferPointer<UInt8>, _ isString: Bool) -> Void) {
    JSONBytes.withStored(place, body)
  }

  func json(_ place: JSONValue) -> JSONValue { place }

  func text(of place: JSONValue) -> (source: TextSource, place: TapePosition)? {
    place.position.map { (TextSource($0.0), $0.1) }
  }
}
