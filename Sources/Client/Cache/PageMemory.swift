/// The memory of one page, which lies behind the object itself: one allocation for both.
///
/// Safe to hand between threads: whoever writes to a page has made sure that it holds the only reference
/// (`isKnownUniquelyReferenced`), and copies the page otherwise; so a page that two hold is only read.
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
struct Pages<Element: BitwiseCopyable>: @unchecked Sendable {
  // The pointers are those of the owners, which live exactly as long; both change together.
  /// The first page as long as it is the only one: most responses need no more, and no memory for a list of them.
  private var only: PageMemory<Element>?
  private var onlyBase: UnsafeMutablePointer<Element>?
  private var owners: ContiguousArray<PageMemory<Element>> = []
  private var bases: ContiguousArray<UnsafeMutablePointer<Element>> = []

  var count: Int { only == nil ? bases.count : 1 }

  @inline(__always)
  func base(_ page: Int) -> UnsafePointer<Element> {
    guard let onlyBase else { return UnsafePointer(bases[page]) }
    precondition(page == 0)
    return UnsafePointer(onlyBase)
  }

  func length(_ page: Int) -> Int { only?.length ?? owners[page].length }

  mutating func append(_ page: PageMemory<Element>) {
    if let first = only {
      (owners, bases) = ([first, page], [first.base, page.base])
      (only, onlyBase) = (nil, nil)
    } else if owners.isEmpty {
      (only, onlyBase) = (page, page.base)
    } else {
      owners.append(page)
      bases.append(page.base)
    }
  }

  mutating func replace(_ index: Int, with page: PageMemory<Element>) {
    if only != nil {
      precondition(index == 0)
      (only, onlyBase) = (page, page.base)
    } else {
      owners[index] = page
      bases[index] = page.base
    }
  }

  /// The page's memory for writing, of its own if it was shared.
  @inline(__always)
  mutating func writable(_ page: Int) -> UnsafeMutablePointer<Element> {
    if let onlyBase {
      precondition(page == 0)
      return isKnownUniquelyReferenced(&only) ? onlyBase : separated(page)
    }
    return isKnownUniquelyReferenced(&owners[page]) ? bases[page] : separated(page)
  }

  @inline(never)
  private mutating func separated(_ page: Int) -> UnsafeMutablePointer<Element> {
    let own = (only ?? owners[page]).copy
    replace(page, with: own)
    return own.base
  }
}
