/// The pages of a pager in list order. They are stored in chunks, so that a copy with one more page shares the other chunks.
///
/// A pager publishes its pages after every change. With a flat array, each of ten thousand pages would copy all previous
/// ones.
public struct PageList<Element: Sendable>: RandomAccessCollection, Sendable {
  private static var chunkSize: Int { 128 }

  private var chunks: [[Element]] = []
  /// Whether the pages are stored in reverse list order, as they are when loading backward.
  private let isReversed: Bool
  /// The number of pages.
  public private(set) var count = 0

  init(isReversed: Bool = false) { self.isReversed = isReversed }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// The page at an index in list order. An index out of range is a programming error.
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < count, "page index out of range")
    return element(arrival: isReversed ? count - 1 - position : position)
  }

  /// The page that was loaded last, which is the outermost one.
  public var outermost: Element? { count == 0 ? nil : element(arrival: count - 1) }

  /// Returns a page by order of arrival, starting at 0.
  func arrival(_ arrival: Int) -> Element? {
    arrival >= 0 && arrival < count ? element(arrival: arrival) : nil
  }

  private func element(arrival: Int) -> Element { chunks[arrival / Self.chunkSize][arrival % Self.chunkSize] }

  /// Sets a page by order of arrival. The position after the last page appends a page.
  mutating func set(arrival: Int, to element: Element) {
    let chunk = arrival / Self.chunkSize
    if arrival < count {
      chunks[chunk][arrival % Self.chunkSize] = element
      return
    }
    if chunk == chunks.count { chunks.append([]) }
    chunks[chunk].append(element)
    count += 1
  }

  /// Removes the pages that arrived after the first `count` ones.
  mutating func keep(_ count: Int) {
    guard count < self.count else { return }
    chunks.removeLast(chunks.count - (count + Self.chunkSize - 1) / Self.chunkSize)
    if count % Self.chunkSize > 0 {
      chunks[chunks.count - 1].removeLast(chunks[chunks.count - 1].count - count % Self.chunkSize)
    }
    self.count = count
  }
}
