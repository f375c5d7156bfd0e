/// The location of a run of elements in a `RunArena`.
@usableFromInline
struct ArenaRun: Sendable, BitwiseCopyable {
  @usableFromInline var page: UInt32
  @usableFromInline var start: UInt32

  @inlinable
  init(page: UInt32, start: UInt32) {
    self.page = page
    self.start = start
  }

  @inlinable
  init(packed: UInt64) {
    self.init(page: UInt32(truncatingIfNeeded: packed >> 32), start: UInt32(truncatingIfNeeded: packed))
  }

  var packed: UInt64 { UInt64(page) << 32 | UInt64(start) }
}

/// Storage for many short runs of elements, with few allocations. Released runs are reused, and copies share pages.
///
/// A run's capacity depends only on its count (there are four size classes per power of two), so releasing a run needs
/// only the count. A long run has its own page.
@usableFromInline
struct RunArena<Element: BitwiseCopyable & Sendable>: Sendable {
  /// 512 bytes, because small allocations are faster and most responses are small.
  private static var firstPage: Int { 512 / MemoryLayout<Element>.stride }

  @usableFromInline var pages = SharedPages<Element>()
  private var free: [[ArenaRun]] = []
  private var freePages: [UInt32] = []
  /// The page that new runs are allocated from; `currentCount` of its elements are in use.
  private var current = 0
  private var currentCount = 0
  private var currentCapacity = 0
  private let smallest: Int
  private let largestPage: Int
  private let filler: Element

  init(smallestRun: Int, largestPage: Int, filler: Element) {
    smallest = smallestRun
    self.largestPage = largestPage
    self.filler = filler
  }

  func isLong(_ count: Int) -> Bool { count > largestPage / 4 }

  /// Returns the size class for a count and the capacity of its runs, in elements.
  @inline(__always)
  private func sizeClass(_ count: Int) -> (index: Int, capacity: Int) {
    let units = (count + smallest - 1) / smallest
    if units <= 4 { return (units, units * smallest) }
    let bits = Int.bitWidth - 1 - (units - 1).leadingZeroBitCount
    let step = 1 << (bits - 2)
    let rounded = (units + step - 1) & ~(step - 1)
    return (bits * 4 + (rounded - 1) / step - 4, rounded * smallest)
  }

  func capacity(for count: Int) -> Int { sizeClass(count).capacity }

  mutating func allocate(_ count: Int) -> ArenaRun {
    let (index, capacity) = sizeClass(max(count, 1))
    if isLong(count) { return add(.filled(capacity, with: filler)) }
    if index < free.count, let run = free[index].popLast() { return run }
    if currentCount + capacity > currentCapacity {
      currentCapacity = max(capacity, min(largestPage, max(Self.firstPage, currentCapacity * 4)))
      current = Int(add(.filled(currentCapacity, with: filler)).page)
      currentCount = 0
    }
    let start = currentCount
    currentCount += capacity
    return ArenaRun(page: UInt32(current), start: UInt32(start))
  }

  private mutating func add(_ page: MemoryPage<Element>) -> ArenaRun {
    if let index = freePages.popLast() {
      pages.replace(Int(index), with: page)
      return ArenaRun(page: index, start: 0)
    }
    pages.append(page)
    return ArenaRun(page: UInt32(pages.count - 1), start: 0)
  }

  /// Stores elements in a page of exactly their length, so that the page's length is their count.
  mutating func storeAsPage(_ elements: UnsafeBufferPointer<Element>) -> ArenaRun { add(.copy(of: elements)) }

  mutating func store(_ elements: UnsafeBufferPointer<Element>) -> ArenaRun {
    let run = allocate(elements.count)
    if let source = elements.baseAddress { writable(run).update(from: source, count: elements.count) }
    return run
  }

  mutating func release(_ run: ArenaRun, count: Int) {
    if isLong(count) {
      pages.replace(Int(run.page), with: .filled(0, with: filler))
      freePages.append(run.page)
      return
    }
    let index = sizeClass(count).index
    while free.count <= index { free.append([]) }
    free[index].append(run)
  }

  @inlinable
  func element(_ run: ArenaRun, _ offset: Int) -> Element { pages.base(Int(run.page))[Int(run.start) + offset] }

  @inline(__always)
  mutating func set(_ run: ArenaRun, _ offset: Int, _ element: Element) {
    pages.writable(Int(run.page))[Int(run.start) + offset] = element
  }

  /// Returns the run's elements for writing. The pointer is valid until the next change.
  @inline(__always)
  mutating func writable(_ run: ArenaRun) -> UnsafeMutablePointer<Element> {
    pages.writable(Int(run.page)) + Int(run.start)
  }

  /// Returns the run's elements. The pointer is valid until the next change.
  @inlinable
  func run(_ run: ArenaRun, count: Int) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: pages.base(Int(run.page)) + Int(run.start), count: count)
  }

  /// Returns the length of a run that `storeAsPage` stored.
  @inlinable
  func lengthOfPage(_ run: ArenaRun) -> Int { pages.length(Int(run.page)) }
}
