import ApusPlatform

extension RGB {
  /// The relative luminance, from 0 to 1 (WCAG 2.2).
  package var luminance: Double {
    func linear(_ component: UInt8) -> Double {
      let value = Double(component) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2).
  package func contrast(with other: RGB) -> Double {
    let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  /// Returns this color mixed with a fraction of another, from 0 to 1.
  package func mixed(with other: RGB, _ part: Double) -> RGB {
    func mix(_ channel: UInt8, _ others: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(channel) * (1 - part) + Double(others) * part).rounded()))
    }
    return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }

  /// The nearest entry of the cube and grays in the 256-color palette: 16 to 255, which are the same in every terminal.
  package var nearestIndex: UInt8 {
    let steps: [Int] = [0, 95, 135, 175, 215, 255]
    func nearest(_ component: UInt8) -> Int {
      let value = Int(component)
      return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
    }
    let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
    let cube = RGB(UInt8(steps[r]), UInt8(steps[g]), UInt8(steps[b]))
    let average = (Int(red) + Int(green) + Int(blue)) / 3
    let greyStep = min(23, max(0, (average - 3) / 10))
    let level = UInt8(8 + 10 * greyStep)
    let grey = RGB(level, level, level)
    return distance(to: grey) < distance(to: cube) ? UInt8(232 + greyStep) : UInt8(16 + 36 * r + 6 * g + b)
  }

  /// The color of an entry of the cube or grays in the 256-color palette.
  package init(paletteIndex index: UInt8) {
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    if index >= 232 {
      let level = 8 + 10 * (index - 232)
      self.init(level, level, level)
    } else {
      let cubeIndex = Int(max(index, 16)) - 16
      self.init(steps[cubeIndex / 36], steps[cubeIndex / 6 % 6], steps[cubeIndex % 6])
    }
  }

  private func distance(to other: RGB) -> Int {
    func square(_ left: UInt8, _ right: UInt8) -> Int { (Int(left) - Int(right)) * (Int(left) - Int(right)) }
    return square(red, other.red) + square(green, other.green) + square(blue, other.blue)
  }
}
