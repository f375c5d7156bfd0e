public import ApusGraphQLMediaTypes

/// The incremental formats that a request accepts.
public enum IncrementalDelivery: Sendable, Hashable {
  /// Every format; the server chooses.
  case automatic
  /// One format.
  case only(IncrementalFormat)
  /// Plain JSON: one response without deferred parts.
  case off

  /// The 2022 format alone.
  public static let defer20220824 = IncrementalDelivery.only(.defer20220824)
  /// The v0.2 format alone.
  public static let incrementalV02 = IncrementalDelivery.only(.incrementalV02)

  /// The formats in the order of the `Accept` field.
  package var formats: [IncrementalFormat] {
    switch self {
    case .automatic: IncrementalFormat.allCases
    case .only(let format): [format]
    case .off: []
    }
  }
}

extension IncrementalDelivery: CaseIterable {
  /// `automatic`, each format alone, and `off`.
  public static let allCases = [.automatic] + IncrementalFormat.allCases.map(Self.only) + [.off]
}

extension IncrementalDelivery: RawRepresentable {
  /// The value of the option `--incremental`: `auto`, `off`, or the version of a format.
  public var rawValue: String {
    switch self {
    case .automatic: "auto"
    case .only(let format): format.rawValue
    case .off: "off"
    }
  }

  /// The choice with this option value; `nil` for an unknown value.
  public init?(rawValue: String) {
    guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = choice
  }
}
