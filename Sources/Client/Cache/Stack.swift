/// Elements that are pushed and taken back in great numbers.
///
/// No call here overlaps another, so that no access has to be checked while it runs.
final class Stack<Element: BitwiseCopyable> {
  @exclusivity(unchecked) private(set) var base: UnsafeMutablePointer<Element>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) var count = 0

  /// Most have few elements; a small piece of memory is had sooner.
  init(capacity: Int = 32) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  func push(_ element: Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  func cut(to count: Int) { self.count = count }

  subscript(_ index: Int) -> Element {
    @inline(__always) get { base[index] }
    @inline(__always) set { base[index] = newValue }
  }

  /// The elements from a place on. Valid until the next push.
  func elements(from start: Int) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: base + start, count: count - start)
  }

  @inline(never)
  private func grow() {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    memory.update(from: base, count: count)
    base.deallocate()
    base = memory
    capacity *= 2
  }
}
