extension JSONValue: Hashable {
  /// Compares two values as JSON: members in any order (the last one of a repeated key counts), numbers by value,
  /// strings byte by byte.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    guard left.kind == right.kind else { return false }
    if left.isIdentical(to: right) { return true }
    switch left.kind {
    case .null:
      return true
    case .bool:
      return left.bool == right.bool
    case .number:
      return left.number == right.number
    case .string:
      return left.withStringBytes { left in right.withStringBytes { left.elementsEqual($0) } == true } == true
    case .array:
      return left.count == right.count && zip(left.elements, right.elements).allSatisfy { $0 == $1 }
    case .object:
      var (count, isEqual) = (0, true)
      left.forEachLastMember { key, value in
        count += 1
        isEqual = right[utf8: key] == value
        return isEqual
      }
      guard isEqual else { return false }
      right.forEachLastMember { _, _ in
        count -= 1
        return true
      }
      return count == 0
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch kind {
    case .null: break
    case .bool: hasher.combine(bool)
    case .number: hasher.combine(number)
    case .string: withStringBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .array:
      hasher.combine(count)
      for element in elements { element.hash(into: &hasher) }
    case .object:
      // The hash must not depend on the order of members, so the hashes of all members are added.
      var sum = 0
      forEachLastMember { key, value in
        var memberHasher = Hasher()
        memberHasher.combine(bytes: UnsafeRawBufferPointer(key))
        value.hash(into: &memberHasher)
        sum &+= memberHasher.finalize()
        return true
      }
      hasher.combine(sum)
    }
  }

  /// Calls `body` for each member, skipping earlier members of a repeated key, until it returns false.
  private func forEachLastMember(_ body: (UnsafeBufferPointer<UInt8>, JSONValue) -> Bool) {
    var position = 0
    forEachMember { key, value in
      defer { position += 1 }
      return self.position(ofMember: key) != position || body(key, value)
    }
  }
}
