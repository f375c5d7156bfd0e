/// An array in pages: a copy shares every page, and a later write copies only the page that it touches.
///
/// This is what makes a snapshot of a million records cheap to take and cheap to hold while others write.
struct PagedArray<Element: BitwiseCopyable & Sendable>: Sendable {
  private static var shift: Int { 9 }
  private static var pageSize: Int { 1 << shift }
  private static var mask: Int { pageSize - 1 }

  private var pages = Pages<Element>()
  private(set) var count = 0

  init() {}

  init(repeating element: Element, count: Int) {
    for first in stride(from: 0, to: count, by: Self.pageSize) {
      pages.append(.filled(Swift.min(count - first, Self.pageSize), with: element))
    }
    self.count = count
  }

  mutating func append(_ element: Element) {
    let page = count >> Self.shift
    let offset = count & Self.mask
    if offset == 0 {
      // The first page grows, so that a small array stays small.
      pages.append(.filled(page == 0 ? 16 : Self.pageSize, with: element))
    } else if page == 0, offset == pages.length(0) {
      let larger = PageMemory.filled(Swift.min(offset * 4, Self.pageSize), with: element)
      larger.base.update(from: pages.base(0), count: offset)
      pages.replace(0, with: larger)
    }
    pages.writable(page)[offset] = element
    count += 1
  }

  subscript(_ index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return pages.base(index >> Self.shift)[index & Self.mask]
    }
    @inline(__always) _modify {
      precondition(index >= 0 && index < count)
      yield &pages.writable(index >> Self.shift)[index & Self.mask]
    }
  }

  subscript(_ index: UInt32) -> Element {
    @inline(__always) get { self[Int(index)] }
    @inline(__always) _modify { yield &self[Int(index)] }
  }

  /// Calls `body` with the elements page by page, in order: the quick way to look at all of them.
  func forEachPage(_ body: (_ firstIndex: Int, UnsafeBufferPointer<Element>) -> Void) {
    var first = 0
    for page in 0..<pages.count {
      let length = Swift.min(count - first, Self.pageSize)
      body(first, UnsafeBufferPointer(start: pages.base(page), count: length))
      first += length
    }
  }
}
