/// Pages in reading order, in chunks: another version with one page more shares all the others with this one.
///
/// A pager hands out its pages after every change. With one flat array each of ten thousand pages would copy all that
/// came before it; here it costs two small ones.
public struct PageList<Element: Sendable>: RandomAccessCollection, Sendable {
  private static var chunkSize: Int { 128 }

  private var chunks: [[Element]] = []
  /// Pages that are loaded backward are stored in the order in which they came.
  private let isReversed: Bool
  /// How many pages there are.
  public private(set) var count = 0

  init(isReversed: Bool = false) { self.isReversed = isReversed }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// The page at a place in reading order, from 0; asking beyond the last one is an error of the program.
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < count, "page index out of range")
    return element(arrival: isReversed ? count - 1 - position : position)
  }

  /// The page that came last: the outermost one.
  public var outermost: Element? { count == 0 ? nil : element(arrival: count - 1) }

  /// The page that came as this one, counted from 0.
  func arrival(_ arrival: Int) -> Element? {
    arrival >= 0 && arrival < count ? element(arrival: arrival) : nil
  }

  private func element(arrival: Int) -> Element { chunks[arrival / Self.chunkSize][arrival % Self.chunkSize] }

  /// Sets the page that came as this one, counted from 0; the next one may be new.
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
}
