import CApusSimdjson
import Synchronization

/// One JSON text and the tape of positions in it. Immutable; its values are views on it.
package final class JSONDocument: Sendable {
  private let source: [UInt8]
  // It points at what `source` stores its elements in: they stay there for as long as the array lives, which is as long as
  // this object, and nobody changes them (it is a `let`, and arrays of numbers are never bridged). The memory of the tape is
  // written before anyone else can hold this object, only read after that, and freed in `deinit`: no access can race.
  nonisolated(unsafe) let tape: Tape
  private nonisolated(unsafe) var memory: apus_json_tape
  private let indexes = Mutex(ContainerIndexes())

  /// How many bytes the text has.
  package var byteCount: Int { source.count }
  /// How many objects with members it has.
  package var objectCount: Int { memory.object_count }

  /// It is no part of the text (RFC 8259, section 8.1, lets a parser ignore it).
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// How deep arrays and objects may nest in one another.
  package static let defaultMaximumDepth = 1024

  /// Parses a whole JSON text (RFC 8259), in UTF-8, with or without white space around it. The bytes are kept.
  package convenience init(
    parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    let source = bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    try self.init(source, maximumDepth) { apus_json_parse($0.baseAddress, $0.count, UInt32(maximumDepth), $1, $2) }
  }

  /// Lets `parse` make the tape of a text without a byte order mark.
  init(
    _ source: [UInt8], _ maximumDepth: Int,
    by parse: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<apus_json_tape>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(JSONSyntaxError) {
    var result = apus_json_tape()
    var offset = 0
    let (code, base) = source.withUnsafeBufferPointer { (parse($0, &result, &offset), $0.baseAddress) }
    guard code == APUS_JSON_OK, let units = result.units, let base else {
      throw JSONSyntaxError(code: code, offset: offset, in: source, depth: maximumDepth)
    }
    self.source = source
    memory = result
    tape = Tape(
      units: units, text: base,
      milestones: result.milestones.map {
        UnsafeRawPointer($0).bindMemory(to: TapePlace.self, capacity: result.milestone_count)
      },
      sizes: UnsafePointer(result.sizes))
  }

  package convenience init(parsing bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) {
    try self.init(parsing: Array(bytes))
  }

  package convenience init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  deinit { apus_json_tape_free(&memory) }

  /// The text's one value.
  package var root: JSONValue { value(at: .root) }

  /// The text as it came; valid while the document is held.
  package var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: tape.text, count: byteCount) }

  /// The tape itself; valid while the document is held.
  var units: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(start: memory.units, count: memory.count) }

  /// What the document takes beside its text.
  package var tapeByteCount: Int {
    memory.count * MemoryLayout<UInt16>.stride + memory.milestone_count * MemoryLayout<TapePlace>.stride
  }
}

// What stands at a place.
extension JSONDocument {
  func kind(at place: TapePlace) -> JSONValue.Kind {
    switch tape.kind(place) {
    case Tape.Kind.null: .null
    case Tape.Kind.number: .number
    case Tape.Kind.string: .string
    case Tape.Kind.array: .array
    case Tape.Kind.object: .object
    default: .bool
    }
  }

  func isTrue(at place: TapePlace) -> Bool { tape.kind(place) == Tape.Kind.true }

  /// How many elements or members the container at a place has.
  func count(at container: TapePlace) -> Int {
    // A large one is walked through once.
    guard tape.end(container) - Int(container.unit) > Self.largeSize else { return countedAnew(container) }
    if let known = indexes.withLock({ $0.counts[container.unit] }) { return known }
    let count = countedAnew(container)
    indexes.withLock { $0.counts[container.unit] = count }
    return count
  }

  private func countedAnew(_ container: TapePlace) -> Int {
    var count = 0
    var place = tape.inside(container)
    let end = tape.end(container)
    while place.isBefore(end) {
      place = tape.next(place)
      count += 1
    }
    return tape.kind(container) == Tape.Kind.object ? count / 2 : count
  }

  /// How many bytes of the text the container at a place takes, but for what closes it.
  func span(at container: TapePlace) -> Int {
    Int(tape.next(container).offset) - tape.offset(container)
  }

  func string(at place: TapePlace) -> String {
    let raw = tape.raw(place)
    return tape.hasEscape(place) ? JSONStringDecoder.decode(raw) : String(decoding: raw, as: UTF8.self)
  }

  /// Whether the string at a place is `key`, without building it.
  func string(at place: TapePlace, equals key: UnsafeBufferPointer<UInt8>) -> Bool {
    if tape.hasEscape(place) { return JSONStringDecoder.decode(tape.raw(place)).utf8.elementsEqual(key) }
    guard tape.length(place) == key.count else { return false }
    guard let bytes = key.baseAddress else { return true }
    return Tape.areEqual(tape.start(place), bytes, count: key.count)
  }

  /// The value that the tape has at a place.
  package func value(at place: TapePlace) -> JSONValue { JSONValue(storage: .tape(self, place)) }

  /// The member named `key` of the object at a place. Of several, the last one counts.
  func member(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt object: TapePlace) -> Member? {
    var place = tape.inside(object)
    let end = tape.end(object)
    var found: Member?
    var position = 0
    while place.isBefore(end) {
      if position == Self.largeObject { return indexedMember(key, ofObjectAt: object) }
      let value = tape.next(place)
      // Most keys differ in their length, which the tape tells: their bytes are not looked at.
      let mayBeEqual = tape.hasEscape(place) || tape.length(place) == key.count
      if mayBeEqual, string(at: place, equals: key) { found = Member(position: position, value: value) }
      place = tape.next(value)
      position += 1
    }
    return found
  }
}

// Random access to large containers: what it takes is worked out once, when it is first wanted.
extension JSONDocument {
  /// A member of an object: which one it is, from 0, and where its value stands on the tape.
  struct Member: Sendable {
    var position: Int
    var value: TapePlace
  }

  /// By the unit of the container.
  struct ContainerIndexes: Sendable {
    var counts: [UInt32: Int] = [:]
    /// The place of every sixteenth element (of an object: member's key).
    var places: [UInt32: [TapePlace]] = [:]
    /// The members by key.
    var members: [UInt32: [JSONKey: Member]] = [:]
  }

  private static let stride = 16
  private static let largeObject = 64
  /// In units.
  private static let largeSize = 128

  /// The place behind the element (of an object: the member) at a place.
  private func following(_ place: TapePlace, isObject: Bool) -> TapePlace {
    isObject ? tape.next(tape.next(place)) : tape.next(place)
  }

  /// Where the element (of an object: the member's key) number `position` of the container at a place stands; nil when
  /// there are fewer.
  func place(of position: Int, in container: TapePlace) -> TapePlace? {
    let isObject = tape.kind(container) == Tape.Kind.object
    let end = tape.end(container)
    var place = tape.inside(container)
    var steps = position
    if position >= 2 * Self.stride {
      let places = indexes.withLock { indexes in
        if let known = indexes.places[container.unit] { return known }
        let places = placesAnew(in: container, isObject: isObject)
        indexes.places[container.unit] = places
        return places
      }
      guard position / Self.stride < places.count else { return nil }
      place = places[position / Self.stride]
      steps = position % Self.stride
    }
    while steps > 0, place.isBefore(end) {
      place = following(place, isObject: isObject)
      steps -= 1
    }
    return place.isBefore(end) ? place : nil
  }

  private func placesAnew(in container: TapePlace, isObject: Bool) -> [TapePlace] {
    var places: [TapePlace] = []
    var place = tape.inside(container)
    let end = tape.end(container)
    var number = 0
    while place.isBefore(end) {
      if number % Self.stride == 0 { places.append(place) }
      place = following(place, isObject: isObject)
      number += 1
    }
    return places
  }

  private func indexedMember(_ key: UnsafeBufferPointer<UInt8>, ofObjectAt object: TapePlace) -> Member? {
    let key = JSONKey(key)
    return indexes.withLock { indexes -> Member? in
      if let known = indexes.members[object.unit] { return known[key] }
      var members: [JSONKey: Member] = [:]
      var place = tape.inside(object)
      let end = tape.end(object)
      var position = 0
      while place.isBefore(end) {
        let value = tape.next(place)
        members[JSONKey(string(at: place))] = Member(position: position, value: value)
        place = tape.next(value)
        position += 1
      }
      indexes.members[object.unit] = members
      return members[key]
    }
  }
}
