/// The memory of one page: allocated once, freed with the object.
///
/// Safe to hand between threads: whoever writes to a page has made sure that it holds the only reference
/// (`isKnownUniquelyReferenced`), and copies the page otherwise; so a page that two hold is only read.
final class PageMemory<Element: BitwiseCopyable>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>
  let capacity: Int

  /// A page with every element set.
  init(capacity: Int, filler: Element) {
    base = .allocate(capacity: capacity)
    base.initialize(repeating: filler, count: capacity)
    self.capacity = capacity
  }

  init(copying other: PageMemory) {
    base = .allocate(capacity: other.capacity)
    base.initialize(from: other.base, count: other.capacity)
    capacity = other.capacity
  }

  init(copying elements: UnsafeBufferPointer<Element>) {
    base = .allocate(capacity: max(elements.count, 1))
    if let source = elements.baseAddress { base.initialize(from: source, count: elements.count) }
    capacity = elements.count
  }

  deinit { base.deallocate() }
}

/// Pages that copies share until one side writes. Reading goes through bare pointers, beside the objects that own them.
///
/// Safe to hand between threads as the pages are: a pointer leads only into a page whose owner is held beside it, and
/// a page that two values hold is never written.
struct Pages<Element: BitwiseCopyable>: @unchecked Sendable {
  // The pointers are those of the owners, which live exactly as long; both arrays change together.
  private var owners: ContiguousArray<PageMemory<Element>> = []
  private var bases: ContiguousArray<UnsafeMutablePointer<Element>> = []

  var count: Int { bases.count }

  @inline(__always)
  func base(_ page: Int) -> UnsafePointer<Element> { UnsafePointer(bases[page]) }

  func capacity(_ page: Int) -> Int { owners[page].capacity }

  mutating func append(_ page: PageMemory<Element>) {
    owners.append(page)
    bases.append(page.base)
  }

  mutating func replace(_ index: Int, with page: PageMemory<Element>) {
    owners[index] = page
    bases[index] = page.base
  }

  /// The page's memory for writing, of its own if it was shared.
  @inline(__always)
  mutating func writable(_ page: Int) -> UnsafeMutablePointer<Element> {
    if !isKnownUniquelyReferenced(&owners[page]) { separate(page) }
    return bases[page]
  }

  @inline(never)
  private mutating func separate(_ page: Int) {
    replace(page, with: PageMemory(copying: owners[page]))
  }
}
