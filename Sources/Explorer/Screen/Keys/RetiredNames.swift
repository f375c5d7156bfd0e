/// The names of commands and contexts that `keys.yml` accepted in version 0.2. They remain valid for one version.
enum RetiredNames {
  /// The current names of commands, by retired name.
  static let commands: [String: String] = [
    "leave": "close",
    "clearReading": "clearPresentation",
    "widenTexts": "widenEditors",
    "narrowTexts": "narrowEditors",
    "heightenUpper": "growUpperPanes",
    "lowerUpper": "shrinkUpperPanes",
    "previousPart": "previousPayload",
    "nextPart": "nextPayload",
    "firstPart": "firstPayload",
    "newestPart": "newestPayload",
    "showPartOfWrite": "showPayloadOfWrite",
    "showWritesOfPart": "showWritesOfPayload",
    "exportWaterfall": "exportTimeline",
    "runElsewhereToo": "runOnOtherEndpoint",
    "collectRecords": "removeUnreachable",
    "openCacheToChange": "openWritableCache",
  ]

  /// The current names of contexts, by retired name.
  static let contexts: [String: String] = [
    "reading": "prompt",
    "found": "matches",
    "compared": "comparison",
  ]
}
