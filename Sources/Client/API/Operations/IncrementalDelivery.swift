/// In which form deferred parts are asked for.
public enum IncrementalDelivery: String, Sendable, Hashable, CaseIterable {
  /// Both formats are offered, the server chooses.
  case automatic = "auto"
  case defer20220824 = "20220824"
  case incrementalV02 = "v0.2"
  /// Plain JSON only.
  case off
}
