/// A page of elements, allocated together with its object.
///
/// `Sendable` because a page is changed only by the holder of its only reference (`isKnownUniquelyReferenced`), and copied
/// otherwise. A shared page is only read.
@usableFromInline
final class MemoryPage<Element: BitwiseCopyable>: @unchecked Sendable {
  private var memory: ManagedBufferPointer<Int, Element> { ManagedBufferPointer(unsafeBufferObject: self) }

  /// The number of elements.
  var length: Int { memory.header }
  var base: UnsafeMutablePointer<Element> { memory.withUnsafeMutablePointerToElements { $0 } }

  /// Use `make`, which allocates the elements together with the object.
  private init() {}

  private static func make(_ length: Int) -> MemoryPage {
    let memory = ManagedBufferPointer<Int, Element>(bufferClass: self, minimumCapacity: length) { _, _ in length }
    // The buffer was allocated with this class.
    return unsafeDowncast(memory.buffer, to: MemoryPage.self)
  }

  /// Returns a page of copies of an element.
  static func filled(_ length: Int, with filler: Element) -> MemoryPage {
    let page = make(length)
    page.base.initialize(repeating: filler, count: length)
    return page
  }

  static func copy(of elements: UnsafeBufferPointer<Element>) -> MemoryPage {
    let page = make(elements.count)
    if let source = elements.baseAddress { page.base.initialize(from: source, count: elements.count) }
    return page
  }

  var copy: MemoryPage { Self.copy(of: UnsafeBufferPointer(start: base, count: length)) }
}

/// Pages that copies share until one of them writes. Reads use pointers and do not go through the page objects.
///
/// `Sendable` for the same reason as `MemoryPage`: each pointer is stored with the page that owns its memory, and a shared
/// page is never written to.
@usableFromInline
struct SharedPages<Element: BitwiseCopyable>: @unchecked Sendable {
  /// A page and the address of its elements.
  @usableFromInline
  struct Place {
    @usableFromInline var owner: MemoryPage<Element>
    @usableFromInline let base: UnsafeMutablePointer<Element>

    init(_ page: MemoryPage<Element>) { (owner, base) = (page, page.base) }
  }

  @usableFromInline var places: ContiguousArray<Place> = []

  var count: Int { places.count }

  @inlinable
  func base(_ page: Int) -> UnsafePointer<Element> { UnsafePointer(places[page].base) }

  @usableFromInline
  func length(_ page: Int) -> Int { places[page].owner.length }

  mutating func append(_ page: MemoryPage<Element>) { places.append(Place(page)) }

  mutating func replace(_ index: Int, with page: MemoryPage<Element>) { places[index] = Place(page) }

  /// Returns the page's memory for writing. A shared page is copied first.
  @inline(__always)
  mutating func writable(_ page: Int) -> UnsafeMutablePointer<Element> {
    isKnownUniquelyReferenced(&places[page].owner) ? places[page].base : separated(page)
  }

  @inline(never)
  private mutating func separated(_ page: Int) -> UnsafeMutablePointer<Element> {
    let ownedCopy = places[page].owner.copy
    replace(page, with: ownedCopy)
    return ownedCopy.base
  }
}
