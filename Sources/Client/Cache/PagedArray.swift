/// An array in pages: a copy shares every page, and a later write copies only the page that it touches.
///
/// This is what makes a snapshot of a million records cheap to take and cheap to hold while others write.
struct PagedArray<Element: BitwiseCopyable & Sendable>: Sendable {
  private static var shift: Int { 9 }
  private static var pageSize: Int { 1 << shift }
  private static var mask: Int { pageSize - 1 }

  private var pages: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  init() {}

  init(repeating element: Element, count: Int) {
    let page = ContiguousArray(repeating: element, count: Swift.min(count, Self.pageSize))
    pages = ContiguousArray(repeating: page, count: (count + Self.mask) >> Self.shift)
    self.count = count
  }

  mutating func append(_ element: Element) {
    if count & Self.mask == 0 { pages.append([]) }
    pages[count >> Self.shift].append(element)
    count += 1
  }

  subscript(_ index: Int) -> Element {
    @inline(__always) get { pages[index >> Self.shift][index & Self.mask] }
    @inline(__always) _modify { yield &pages[index >> Self.shift][index & Self.mask] }
  }

  subscript(_ index: UInt32) -> Element {
    @inline(__always) get { self[Int(index)] }
    @inline(__always) _modify { yield &self[Int(index)] }
  }

  /// Calls `body` with the elements page by page, in order: the quick way to look at all of them.
  func forEachPage(_ body: (_ firstIndex: Int, UnsafeBufferPointer<Element>) -> Void) {
    var first = 0
    for page in pages {
      page.withUnsafeBufferPointer { body(first, $0) }
      first += page.count
    }
  }
}
