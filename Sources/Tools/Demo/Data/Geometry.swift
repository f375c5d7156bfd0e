import ApusPlatform

extension Coordinates {
  /// Returns the great-circle distance in kilometers.
  func distance(to other: Coordinates) -> Double {
    let radians = Double.pi / 180
    let (latitude1, latitude2) = (latitude * radians, other.latitude * radians)
    let haversine =
      pow(sin((latitude2 - latitude1) / 2), 2)
      + cos(latitude1) * cos(latitude2) * pow(sin((other.longitude - longitude) * radians / 2), 2)
    return 2 * 6371 * asin(min(1, haversine.squareRoot()))
  }

  /// Returns the point at a fraction of the straight line on the map, which is precise enough for a demo.
  func point(towards other: Coordinates, fraction: Double) -> Coordinates {
    Coordinates(
      latitude: (latitude + (other.latitude - latitude) * fraction).rounded(toPlaces: 4),
      longitude: (longitude + (other.longitude - longitude) * fraction).rounded(toPlaces: 4))
  }
}

extension Double {
  func rounded(toPlaces places: Int) -> Double {
    let scale = pow(10, Double(places))
    return (self * scale).rounded() / scale
  }
}
