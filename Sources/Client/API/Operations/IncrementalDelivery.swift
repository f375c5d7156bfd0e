public import ApusGraphQLMediaTypes

/// The incremental formats that a request accepts.
public enum IncrementalDelivery: Sendable, Hashable {
  /// Every format; the server chooses.
  case automatic
  /// A single format.
  case only(IncrementalFormat)
  /// Plain JSON in one response, without deferred fragments.
  case off

  /// Only the 2022 format.
  public static let defer20220824 = IncrementalDelivery.only(.defer20220824)
  /// Only the v0.2 format.
  public static let incrementalV02 = IncrementalDelivery.only(.incrementalV02)

  /// The formats in the order of the `Accept` header.
  package var formats: [IncrementalFormat] {
    switch self {
    case .automatic: IncrementalFormat.allCases
    case .only(let format): [format]
    case .off: []
    }
  }
}

extension IncrementalDelivery: CaseIterable {
  /// `automatic`, each single format, and `off`.
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

  /// Creates a choice from an option value; `nil` if the value is unknown.
  public init?(rawValue: String) {
    guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = choice
  }
}
