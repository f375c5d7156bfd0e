extension BidirectionalCollection {
  /// Returns the elements between the first and the last one that the condition does not drop.
  @inlinable
  package func trimming(while isDropped: (Element) -> Bool) -> SubSequence {
    self[(firstIndex { !isDropped($0) } ?? endIndex)...].trimmingSuffix(while: isDropped)
  }

  /// Returns the elements up to the last one that the condition does not drop.
  @inlinable
  package func trimmingSuffix(while isDropped: (Element) -> Bool) -> SubSequence {
    self[..<(lastIndex { !isDropped($0) }.map { index(after: $0) } ?? startIndex)]
  }
}
