/// The memory of one page, which lies behind the object itself: one allocation for both.
///
/// Safe to hand between threads: whoever writes to a page has made sure that it holds the only reference
/// (`isKnownUniquelyReferenced`), and copies the page otherwise; so a page that two hold is only read.
@usableFromInline
final class PageMemory<Element: BitwiseCopyable>: @unchecked Sendable {
  private var memory: ManagedBufferPointer<Int, Element> { ManagedBufferPointer(unsafeBufferObject: self) }

  /// How many elements there are.
  var length: Int { memory.header }
  var base: UnsafeMutablePointer<Element> { memory.withUnsafeMutablePointerToElements { $0 } }

  /// Pages are made below, where the room behind them is.
  private init() {}

  private static func make(_ length: Int) -> PageMemory {
    let memory = ManagedBufferPointer<Int, Element>(bufferClass: self, minimumCapacity: length) { _, _ in length }
    // It is of the class that it was made of.
    return unsafeDowncast(memory.buffer, to: PageMemory.self)
  }

  /// A page with every element set.
  static func filled(_ length: Int, with filler: Element) -> PageMemory {
    let page = make(length)
    page.base.initialize(repeating: filler, count: length)
    return page
  }

  static func copy(of elements: UnsafeBufferPointer<Element>) -> PageMemory {
    let page = make(elements.count)
    if let source = elements.baseAddress { page.base.initialize(from: source, count: elements.count) }
    return page
  }

  var copy: PageMemory { Self.copy(of: UnsafeBufferPointer(start: base, count: length)) }
}

/// Pages that copies share until one side writes. Reading goes through bare pointers, beside the objects that own them.
///
/// Safe to hand between threads as the pages are: a pointer leads only into a page whose owner is held beside it, and
/// a page that two values hold is never written.
@usableFromInline
struct Pages<Element: BitwiseCopyable>: @unchecked Sendable {
  /// A page and where its elements are, which changes with it.
  @usableFromInline
  struct Place {
    @usableFromInline var owner: PageMemory<Element>
    @usableFromInline let base: UnsafeMutablePointer<Element>

    init(_ page: PageMemory<Element>) { (owner, base) = (page, page.base) }
  }

  @usableFromInline var places: ContiguousArray<Place> = []

  var count: Int { places.count }

  @inlinable
  func base(_ page: Int) -> UnsafePointer<Element> { UnsafePointer(places[page].base) }

  @usableFromInline
  func length(_ page: Int) -> Int { places[page].owner.length }

  mutating func append(_ page: PageMemory<Element>) { places.append(Place(page)) }

  mutating func replace(_ index: Int, with page: PageMemory<Element>) { places[index] = Place(page) }

  /// The page's memory for writing, of its own if it was shared.
  @inline(__always)
  mutating func writable(_ page: Int) -> UnsafeMutablePointer<Element> {
    isKnownUniquelyReferenced(&places[page].owner) ? places[page].base : separated(page)
  }

  @inline(never)
  private mutating func separated(_ page: Int) -> UnsafeMutablePointer<Element> {
    let own = places[page].owner.copy
    replace(page, with: own)
    return own.base
  }
}
