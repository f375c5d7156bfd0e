/// In which form deferred parts are asked for.
public enum IncrementalDelivery: String, Sendable, Hashable, CaseIterable {
  /// Both formats are offered, the server chooses.
  case automatic = "auto"
  /// The form of August 2022 that Apollo's servers speak: `deferSpec=20220824` in the `Accept` header; each part has
  /// the `path` of what it brings.
  case defer20220824 = "20220824"
  /// The form of graphql-js 17 and of the working draft: `incrementalSpec=v0.2`; `pending` announces what comes,
  /// `completed` ends it.
  case incrementalV02 = "v0.2"
  /// Plain JSON only.
  case off
}
