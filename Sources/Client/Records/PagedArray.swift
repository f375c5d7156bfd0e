/// A paged array. Copies share pages, and a write copies only the page that it changes.
///
/// A snapshot of a million records is therefore cheap to take, and cheap to keep while others write.
@usableFromInline
struct PagedArray<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline static var shift: Int { @inlinable get { 9 } }
  @usableFromInline static var pageSize: Int { @inlinable get { 1 << shift } }
  @usableFromInline static var mask: Int { @inlinable get { pageSize - 1 } }

  @usableFromInline var pages = SharedPages<Element>()
  @usableFromInline var count = 0

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
      // Grow the first page in steps to save memory in small arrays.
      pages.append(.filled(page == 0 ? 16 : Self.pageSize, with: element))
    } else if page == 0, offset == pages.length(0) {
      let larger = MemoryPage.filled(Swift.min(offset * 4, Self.pageSize), with: element)
      larger.base.update(from: pages.base(0), count: offset)
      pages.replace(0, with: larger)
    }
    pages.writable(page)[offset] = element
    count += 1
  }

  @usableFromInline
  subscript(_ index: Int) -> Element {
    @inlinable get {
      precondition(index >= 0 && index < count)
      return pages.base(index >> Self.shift)[index & Self.mask]
    }
    @inline(__always) _modify {
      precondition(index >= 0 && index < count)
      yield &pages.writable(index >> Self.shift)[index & Self.mask]
    }
  }

  @usableFromInline
  subscript(_ index: UInt32) -> Element {
    @inlinable get { self[Int(index)] }
    @inline(__always) _modify { yield &self[Int(index)] }
  }

  @usableFromInline
  subscript(_ record: RecordID) -> Element {
    @inlinable get { self[Int(record.number)] }
    @inline(__always) _modify { yield &self[Int(record.number)] }
  }

  /// Calls `body` with the elements, page by page in order. Faster than the subscript for reading all of them.
  func forEachPage(_ body: (_ firstIndex: Int, UnsafeBufferPointer<Element>) -> Void) {
    var first = 0
    for page in 0..<pages.count {
      let length = Swift.min(count - first, Self.pageSize)
      body(first, UnsafeBufferPointer(start: pages.base(page), count: length))
      first += length
    }
  }
}
