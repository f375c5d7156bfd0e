/// The meaning of a part of the screen, for which a theme has a style.
package enum ThemeRole: Int, CaseIterable, Sendable {
  // Text and panes.
  case text, muted, accent, heading, link
  case border, focusBorder, title, focusTitle
  case lineNumber, currentLineNumber, currentLine
  // Selections and matches. These are combined with other styles: `theme[.selection].over(theme[.keyword])`.
  case selection, unfocusedSelection, textSelection, searchMatch, currentSearchMatch, matchingBracket, fresh, cursor
  // States.
  case error, warning, success, info, pending, fulfilled, failed, notExecuted, disabled, deprecated
  // Underlines, which are combined with other styles.
  case errorMark, warningMark, deprecatedMark
  // Interface elements.
  case popup, popupMuted, popupBorder, popupSelection
  case input, placeholder
  case statusLine, statusAccent, statusError
  case footerKey, footerText, footerDisabled
  case tab, selectedTab
  case scrollTrack, scrollThumb, progressDone, progressLeft
  // The language and responses.
  case keyword, operationName, field, alias, argument, type, variable, directive, fragmentName, enumValue
  case string, number, constant, comment, punctuation
  case objectKey, typename, count
}

/// The style of a role, independent of the terminal's capabilities.
struct RoleStyle {
  /// A color of the scheme: a slot, or a slot mixed into the background.
  enum Paint {
    case slot(Int)
    case blend(Int, percent: Int)
  }

  var foreground: Paint?
  var background: Paint?
  var attributes: TextAttributes = []
  /// The style with the terminal's 16 colors on its default background.
  var ansiForeground: UInt8?
  var ansiBackground: UInt8?
  var ansiAttributes: TextAttributes = []
  /// The style without colors.
  var monoAttributes: TextAttributes = []
  /// The minimum contrast of text with its background.
  var contrast = 4.5
}

extension ThemeRole {
  var style: RoleStyle {
    switch self {
    case .text: plain(0x05)
    case .muted: plain(0x04, mono: .dim, contrast: 3.6)
    case .accent: plain(0x0D, ansi: 4 + 8, .bold, mono: .bold)
    case .heading: plain(0x0D, ansi: 4 + 8, .bold, mono: .bold)
    case .link: plain(0x0C, ansi: 6, .underline, mono: .underline)

    case .border: plain(0x03, mono: .dim, contrast: 2)
    case .focusBorder: plain(0x0D, ansi: 4 + 8, .bold, mono: .bold, contrast: 3)
    case .title: plain(0x04)
    case .focusTitle: plain(0x0D, ansi: 4 + 8, .bold, mono: .bold)
    case .lineNumber: plain(0x03, mono: .dim, contrast: 2.4)
    case .currentLineNumber: plain(0x0A, ansi: 3, mono: .bold)
    case .currentLine: over(background: .slot(0x01))

    case .selection: over(background: .slot(0x02), ansi: .reverse, mono: .reverse)
    case .unfocusedSelection: over(background: .slot(0x01), ansi: .underline, mono: .underline)
    case .textSelection: over(background: .blend(0x0D, percent: 30), ansi: .reverse, mono: .reverse)
    case .searchMatch: badge(0x00, on: 0x0A, ansi: 0, on: 3, mono: .underline)
    case .currentSearchMatch: badge(0x00, on: 0x09, ansi: 0, on: 11, mono: .reverse)
    case .matchingBracket: over(background: .slot(0x02), .bold, ansi: [.bold, .underline], mono: [.bold, .underline])
    case .fresh: over(background: .blend(0x0B, percent: 18), ansi: .bold, mono: .bold)
    case .cursor: badge(0x00, on: 0x05, ansi: 0, on: 7, mono: .reverse)

    case .error, .failed: plain(0x08, ansi: 1, .bold, mono: .bold)
    case .warning: plain(0x0A, ansi: 3, .bold, mono: .bold)
    case .success, .fulfilled: plain(0x0B, ansi: 2)
    case .info: plain(0x0C, ansi: 6)
    case .pending: plain(0x0A, ansi: 3, mono: .dim)
    case .notExecuted, .disabled: plain(0x03, mono: .dim, contrast: 3)
    case .deprecated: plain(0x04, .strikethrough, mono: .dim, contrast: 3)

    case .errorMark: over(background: nil, .wavyUnderline, ansi: .wavyUnderline, mono: .wavyUnderline, 0x08, 1)
    case .warningMark: over(background: nil, .wavyUnderline, ansi: .wavyUnderline, mono: .wavyUnderline, 0x0A, 3)
    case .deprecatedMark: over(background: nil, .strikethrough, ansi: .strikethrough, mono: .strikethrough)

    case .popup: plain(0x05, on: 0x01)
    case .popupMuted: plain(0x04, on: 0x01, mono: .dim, contrast: 3.6)
    case .popupBorder: plain(0x0D, on: 0x01, ansi: 4 + 8, contrast: 3)
    case .popupSelection: over(background: .slot(0x02), .bold, ansi: .reverse, mono: .reverse)
    case .input: plain(0x05, on: 0x01, mono: .underline)
    case .placeholder: plain(0x04, on: 0x01, mono: .dim, contrast: 3)

    case .statusLine: bar(0x05, ansi: 0, on: 7)
    case .statusAccent: bar(0x0D, ansi: 4, on: 7, .bold)
    case .statusError: badge(0x00, on: 0x08, ansi: 15, on: 1, mono: [.bold, .reverse])
    case .footerKey: plain(0x0D, on: 0x01, ansi: 6, .bold, mono: .bold)
    case .footerText: plain(0x04, on: 0x01, contrast: 4.5)
    case .footerDisabled: plain(0x03, on: 0x01, mono: .dim, contrast: 2.6)
    case .tab: plain(0x04, on: 0x01, mono: .dim, contrast: 3.6)
    case .selectedTab: plain(0x05, .bold, mono: [.bold, .underline])
    case .scrollTrack: plain(0x02, mono: .dim, contrast: 1.2)
    case .scrollThumb: plain(0x04, contrast: 2.5)
    case .progressDone: plain(0x0D, ansi: 4 + 8, mono: .bold, contrast: 3)
    case .progressLeft: plain(0x03, mono: .dim, contrast: 1.6)

    case .keyword: plain(0x0E, ansi: 5, mono: .bold)
    case .operationName: plain(0x0D, ansi: 4 + 8, mono: .underline)
    case .field: plain(0x05)
    case .alias: plain(0x0C, ansi: 6)
    case .argument: plain(0x0D, ansi: 4 + 8)
    case .type, .typename: plain(0x0A, ansi: 3)
    case .variable: plain(0x08, ansi: 1)
    case .directive: plain(0x09, ansi: 5)
    case .fragmentName: plain(0x0D, ansi: 4 + 8)
    case .enumValue: plain(0x0C, ansi: 6)
    case .string: plain(0x0B, ansi: 2)
    case .number: plain(0x09, ansi: 3)
    case .constant: plain(0x09, ansi: 3)
    case .comment: plain(0x03, .italic, mono: .dim, contrast: 3.2)
    case .punctuation: plain(0x04, contrast: 3.2)
    case .objectKey: plain(0x0D, ansi: 4 + 8)
    case .count: plain(0x03, mono: .dim, contrast: 3.2)
    }
  }

  private func plain(
    _ slot: Int, on background: Int = 0x00, ansi: UInt8? = nil, _ attributes: TextAttributes = [],
    mono: TextAttributes = [], contrast: Double = 4.5
  ) -> RoleStyle {
    // Some palettes use bright black for the background; dim text is readable in all of them.
    RoleStyle(
      foreground: .slot(slot), background: .slot(background), attributes: attributes, ansiForeground: ansi,
      ansiAttributes: attributes.union(ansi == nil ? mono.intersection(.dim) : []), monoAttributes: mono,
      contrast: contrast)
  }

  private func bar(
    _ slot: Int, ansi: UInt8, on ansiBackground: UInt8, _ attributes: TextAttributes = []
  ) -> RoleStyle {
    RoleStyle(
      foreground: .slot(slot), background: .slot(0x02), attributes: attributes, ansiForeground: ansi,
      ansiBackground: ansiBackground, ansiAttributes: attributes, monoAttributes: attributes.union(.reverse))
  }

  private func badge(
    _ slot: Int, on background: Int, ansi: UInt8, on ansiBackground: UInt8, mono: TextAttributes
  ) -> RoleStyle {
    RoleStyle(
      foreground: .slot(slot), background: .slot(background), ansiForeground: ansi, ansiBackground: ansiBackground,
      monoAttributes: mono)
  }

  private func over(
    background: RoleStyle.Paint?, _ attributes: TextAttributes = [], ansi: TextAttributes = [],
    mono: TextAttributes = [], _ slot: Int? = nil, _ ansiForeground: UInt8? = nil
  ) -> RoleStyle {
    RoleStyle(
      foreground: slot.map { .slot($0) }, background: background, attributes: attributes,
      ansiForeground: ansiForeground, ansiAttributes: ansi, monoAttributes: mono)
  }
}
