import Testing

@testable import ApusTap

struct DescriptorReserveTests {
  /// The limit of descriptors, the first one in the reserve, and the connections if the first 12 descriptors are in use.
  @Test(
    arguments: [
      (1024, 1008, 166), (64, 48, 6), (32, 24, 2), (16, 12, 1), (4, 3, 1), (nil, Int32.max, 357_913_939),
      (Int.max, Int32.max, 357_913_939),
    ] as [(Int?, Int32, Int)])
  func `the highest descriptors are not for connections`(_ limit: Int?, _ first: Int32, _ connections: Int) {
    let reserve = DescriptorReserve(limit: limit)
    #expect(reserve.contains(first) && !reserve.contains(first - 1))
    #expect(reserve.connectionLimit(from: 12) == connections)
  }
}
