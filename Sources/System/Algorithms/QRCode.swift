/// A QR code of level L (ISO/IEC 18004) with the bytes of a text, such as a URL.
///
/// Versions 1 to 10 are enough for 271 bytes and are readable on a screen.
package struct QRCode: Equatable, Sendable {
  package private(set) var modules: [[Bool]]
  /// Modules of the fixed patterns, where no data may be placed.
  private var isReserved: [[Bool]]
  private let version: Int
  package var size: Int { modules.count }

  /// The codewords of each version, those for error correction per block, and the number of blocks.
  private static let capacities = [
    (26, 7, 1), (44, 10, 1), (70, 15, 1), (100, 20, 1), (134, 26, 1), (172, 18, 2), (196, 20, 2), (242, 24, 2),
    (292, 30, 2), (346, 18, 4),
  ]

  private static let alignments = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
  ]

  /// Creates the code of a text; nil if the text is too long.
  ///
  /// - Parameter mask: The number of the mask; by default the one with the fewest uniform areas.
  package init?(_ text: String, mask: Int? = nil) {
    let bytes = Array(text.utf8)
    let found = (1...10).first { version in
      let (total, correction, blocks) = Self.capacities[version - 1]
      return bytes.count + (version < 10 ? 2 : 3) <= total - correction * blocks
    }
    guard let version = found else { return nil }
    self.version = version
    let size = 17 + 4 * version
    modules = Array(repeating: Array(repeating: false, count: size), count: size)
    isReserved = modules
    placePatterns()
    place(Self.codewords(of: bytes, version))
    let candidates = (mask.map { [$0] } ?? Array(0...7)).map { number in
      var candidate = self
      candidate.apply(mask: number)
      candidate.placeFormat(mask: number)
      return candidate
    }
    guard let best = candidates.min(by: { $0.uniformity < $1.uniformity }) else { return nil }
    modules = best.modules
  }

  // MARK: Codewords

  private static func codewords(of bytes: [UInt8], _ version: Int) -> [UInt8] {
    let (total, correction, blockCount) = capacities[version - 1]
    let capacity = total - correction * blockCount
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) { bits += (0..<count).reversed().map { value >> $0 & 1 == 1 } }
    append(0b0100, 4)
    append(bytes.count, version < 10 ? 8 : 16)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, capacity * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    while data.count < capacity { data.append((data.count - bits.count / 8) % 2 == 0 ? 0xEC : 0x11) }
    return interleaved(data, correction, blockCount)
  }

  /// Splits the data into blocks, adds the error correction of each, and interleaves them. The last blocks may be
  /// longer by one codeword.
  private static func interleaved(_ data: [UInt8], _ correction: Int, _ blockCount: Int) -> [UInt8] {
    let short = data.count / blockCount
    let shortCount = blockCount - data.count % blockCount
    var start = 0
    let blocks = (0..<blockCount).map { number in
      let end = start + short + (number < shortCount ? 0 : 1)
      defer { start = end }
      return Array(data[start..<end])
    }
    let divisor = ReedSolomon.divisor(correction)
    let corrections = blocks.map { ReedSolomon.remainder($0, divisor) }
    let dataPart = (0...short).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
    return dataPart + (0..<correction).flatMap { index in corrections.map { $0[index] } }
  }

  // MARK: Patterns

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard modules.indices.contains(row), modules.indices.contains(column) else { return }
    modules[row][column] = isDark
    isReserved[row][column] = true
  }

  private mutating func placePatterns() {
    for index in 0..<size {
      set(6, index, index % 2 == 0)
      set(index, 6, index % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
      for (rowStep, columnStep) in Self.square(4) {
        let distance = max(abs(rowStep), abs(columnStep))
        set(row + rowStep, column + columnStep, distance != 2 && distance != 4)
      }
    }
    let places = Self.alignments[version - 1]
    for row in places {
      for column in places where !isFinder(row, column) {
        for (rowStep, columnStep) in Self.square(2) {
          set(row + rowStep, column + columnStep, max(abs(rowStep), abs(columnStep)) != 1)
        }
      }
    }
    placeVersion()
    // Reserves the places of the format, which depends on the mask.
    placeFormat(mask: 0)
  }

  private func isFinder(_ row: Int, _ column: Int) -> Bool {
    let end = size - 7
    return (row, column) == (6, 6) || (row, column) == (6, end) || (row, column) == (end, 6)
  }

  private static func square(_ radius: Int) -> [(Int, Int)] {
    (-radius...radius).flatMap { row in (-radius...radius).map { (row, $0) } }
  }

  /// Places the error correction level and the mask, with their error correction, twice.
  private mutating func placeFormat(mask: Int) {
    let data = 0b01 << 3 | mask
    var rest = data
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (data << 10 | rest) ^ 0x5412
    func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0...5 { set(index, 8, bit(index)) }
    set(7, 8, bit(6))
    set(8, 8, bit(7))
    set(8, 7, bit(8))
    for index in 9..<15 { set(8, 14 - index, bit(index)) }
    for index in 0..<8 { set(8, size - 1 - index, bit(index)) }
    for index in 8..<15 { set(size - 15 + index, 8, bit(index)) }
    set(size - 8, 8, true)
  }

  private mutating func placeVersion() {
    guard version >= 7 else { return }
    var rest = version
    for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
    let bits = version << 12 | rest
    for index in 0..<18 {
      let (long, short) = (size - 11 + index % 3, index / 3)
      set(short, long, bits >> index & 1 == 1)
      set(long, short, bits >> index & 1 == 1)
    }
  }

  // MARK: Data

  /// Places codewords in columns of two from the right, alternately upwards and downwards.
  private mutating func place(_ codewords: [UInt8]) {
    var index = 0
    var isUpward = true
    var right = size - 1
    while right > 0 {
      // The column of the vertical timing pattern has no data.
      if right == 6 { right = 5 }
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isReserved[row][column] && index < codewords.count * 8 {
          modules[row][column] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
          index += 1
        }
      }
      isUpward.toggle()
      right -= 2
    }
  }

  private mutating func apply(mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isReserved[row][column] && Self.inverts(mask, row, column) {
        modules[row][column].toggle()
      }
    }
  }

  private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  /// Neighbors of the same color, which a scanner distinguishes less well. The mask with the fewest is chosen.
  private var uniformity: Int {
    var count = 0
    for row in 0..<size {
      for column in 0..<size {
        if column > 0, modules[row][column] == modules[row][column - 1] { count += 1 }
        if row > 0, modules[row][column] == modules[row - 1][column] { count += 1 }
      }
    }
    return count
  }

  // MARK: Text

  /// The code with its margin, two rows of modules per line. Light modules are filled, as on a dark terminal.
  package var lines: [String] {
    let margin = 2
    func isLight(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - margin, column - margin)
      guard modules.indices.contains(row), modules.indices.contains(column) else { return row < size + margin }
      return !modules[row][column]
    }
    return stride(from: 0, to: size + 2 * margin, by: 2).map { row in
      String(
        (0..<size + 2 * margin).map { column -> Character in
          switch (isLight(row, column), isLight(row + 1, column)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }
}

/// The error correction of QR codes: polynomials over GF(256) with the modulus 0x11D.
private enum ReedSolomon {
  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result = 0
    for bit in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * 0x11D
      if right >> bit & 1 == 1 { result ^= Int(left) }
    }
    return UInt8(truncatingIfNeeded: result)
  }

  /// Returns the generator polynomial of a degree, without its leading coefficient 1.
  static func divisor(_ degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in result.indices {
        result[index] = product(result[index], root)
        if index + 1 < result.count { result[index] ^= result[index + 1] }
      }
      root = product(root, 2)
    }
    return result
  }

  static func remainder(_ data: [UInt8], _ divisor: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: divisor.count)
    for byte in data {
      let factor = byte ^ result[0]
      result = Array(result.dropFirst()) + [0]
      for (index, coefficient) in divisor.enumerated() { result[index] ^= product(coefficient, factor) }
    }
    return result
  }
}
