/// A wire format of incremental delivery. A parameter of the media type `multipart/mixed` names it.
///
/// Everything else that names the formats derives from this enum: the `Accept` field, the readers of the client, the
/// writers of the demo server, and the values of `--incremental`.
public enum IncrementalFormat: String, Sendable, Hashable, CaseIterable {
  /// The draft of August 2022, which Apollo's servers use: `{incremental: [{data | items, path, label, errors}], hasNext}`.
  case defer20220824 = "20220824"
  /// graphql-js 17 and the current draft:
  /// `{pending, incremental: [{id, data | items, subPath, errors}], completed, hasNext}`.
  case incrementalV02 = "v0.2"

  /// The parameter of the media type with its value: `deferSpec=20220824`.
  public var specification: String { "\(parameter)=\(rawValue)" }

  /// The name of that parameter.
  package var parameter: String {
    switch self {
    case .defer20220824: "deferSpec"
    case .incrementalV02: "incrementalSpec"
    }
  }

  /// The format in a sentence: "the v0.2 format".
  package var phrase: String {
    switch self {
    case .defer20220824: "the 2022 format"
    case .incrementalV02: "the v0.2 format"
    }
  }

  /// The media type of a response in this format, without its boundary.
  package var mediaType: String { "\(GraphQLMediaType.multipart);\(specification)" }
}
