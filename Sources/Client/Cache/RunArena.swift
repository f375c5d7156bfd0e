/// Where a run of elements lies in a `RunArena`.
struct Run: Sendable, BitwiseCopyable {
  var page: UInt32
  var start: UInt32

  init(page: UInt32, start: UInt32) {
    self.page = page
    self.start = start
  }

  init(packed: UInt64) {
    self.init(page: UInt32(truncatingIfNeeded: packed >> 32), start: UInt32(truncatingIfNeeded: packed))
  }

  var packed: UInt64 { UInt64(page) << 32 | UInt64(start) }
}

/// Storage for many short runs of elements: few allocations, runs given back are used again, a copy shares its pages.
///
/// A run's capacity follows from its count alone (four size classes to each doubling), so nothing but the count has to
/// be kept to give it back. A long run has a page of its own.
struct RunArena<Element: BitwiseCopyable & Sendable>: Sendable {
  private var pages: ContiguousArray<ContiguousArray<Element>> = []
  private var free: [[Run]] = []
  private var freePages: [UInt32] = []
  /// The page that new runs are cut from.
  private var current = 0
  private var currentCapacity = 0
  private let smallest: Int
  private let largestPage: Int
  private let filler: Element

  init(smallestRun: Int, largestPage: Int, filler: Element) {
    smallest = smallestRun
    self.largestPage = largestPage
    self.filler = filler
  }

  var longestSharedRun: Int { largestPage / 4 }

  func isLong(_ count: Int) -> Bool { count > longestSharedRun }

  /// The size class of a count, and how many elements a run of this class has room for.
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

  mutating func allocate(_ count: Int) -> Run {
    let (index, capacity) = sizeClass(count)
    if isLong(count) { return add(ContiguousArray(repeating: filler, count: capacity)) }
    if index < free.count, let run = free[index].popLast() { return run }
    if current >= pages.count || pages[current].count + capacity > currentCapacity {
      currentCapacity = max(capacity, min(largestPage, max(256, currentCapacity * 2)))
      var page = ContiguousArray<Element>()
      page.reserveCapacity(currentCapacity)
      current = Int(add(page).page)
    }
    let start = pages[current].count
    pages[current].append(contentsOf: repeatElement(filler, count: capacity))
    return Run(page: UInt32(current), start: UInt32(start))
  }

  private mutating func add(_ page: ContiguousArray<Element>) -> Run {
    if let index = freePages.popLast() {
      pages[Int(index)] = page
      return Run(page: index, start: 0)
    }
    pages.append(page)
    return Run(page: UInt32(pages.count - 1), start: 0)
  }

  /// Gives elements a page that is exactly as long as they are, so that the page itself tells their number.
  mutating func storeAsPage(_ elements: UnsafeBufferPointer<Element>) -> Run { add(ContiguousArray(elements)) }

  mutating func store(_ elements: UnsafeBufferPointer<Element>) -> Run {
    let run = allocate(elements.count)
    let start = Int(run.start)
    pages[Int(run.page)].withUnsafeMutableBufferPointer { page in
      guard let target = page.baseAddress, let source = elements.baseAddress else { return }
      (target + start).update(from: source, count: elements.count)
    }
    return run
  }

  mutating func release(_ run: Run, count: Int) {
    if isLong(count) {
      pages[Int(run.page)] = []
      freePages.append(run.page)
      return
    }
    let index = sizeClass(count).index
    while free.count <= index { free.append([]) }
    free[index].append(run)
  }

  @inline(__always)
  func element(_ run: Run, _ offset: Int) -> Element { pages[Int(run.page)][Int(run.start) + offset] }

  @inline(__always)
  mutating func set(_ run: Run, _ offset: Int, _ element: Element) {
    pages[Int(run.page)][Int(run.start) + offset] = element
  }

  @inline(__always)
  func withRun<Result>(
    _ run: Run, count: Int, _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try pages[Int(run.page)].withUnsafeBufferPointer { page in
      try body(UnsafeBufferPointer(rebasing: page[Int(run.start)..<(Int(run.start) + count)]))
    }
  }

  /// The length of a run that `storeAsPage` stored.
  func lengthOfPage(_ run: Run) -> Int { pages[Int(run.page)].count }
}
