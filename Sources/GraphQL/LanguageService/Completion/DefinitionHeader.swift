import ApusGraphQLLanguage

/// A definition of the schema language up to its members: `type Bird implements Node @key`.
struct DefinitionHeader {
  private enum Stage { case keyword, name, afterName, item, afterItem }

  /// `nil` after `extend`.
  private(set) var keyword: TypeSystemKeyword?
  private let isExtension: Bool
  private var name = ""
  private var isRepeatable = false
  /// The interfaces, the members of a union or the locations of a directive.
  private var items: Set<String> = []
  private var stage: Stage

  /// - Parameter keyword: The first word; `nil` for `extend`.
  init(keyword: TypeSystemKeyword?) {
    self.keyword = keyword
    isExtension = keyword == nil
    stage = keyword.map(Self.stage) ?? .keyword
  }

  private static func stage(after keyword: TypeSystemKeyword) -> Stage { keyword == .schema ? .afterName : .name }

  /// The interfaces of a type.
  var interfaces: Set<String> { keyword?.takesInterfaces == true ? items : [] }

  /// Whether the `@` and name of a directive definition follow.
  var expectsDirectiveName: Bool { keyword == .directive && stage == .name }

  /// Reads a name. Returns `false` if it begins another definition.
  mutating func read(name text: String) -> Bool {
    switch stage {
    case .keyword:
      guard let keyword = TypeSystemKeyword(rawValue: text) else { return false }
      self.keyword = keyword
      stage = Self.stage(after: keyword)
    case .name:
      name = text
      stage = .afterName
    case .afterName:
      switch text {
      case "implements" where keyword?.takesInterfaces == true: stage = .item
      case "on" where keyword == .directive: stage = .item
      case "repeatable" where keyword == .directive: isRepeatable = true
      default: return false
      }
    case .item:
      items.insert(text)
      stage = .afterItem
    case .afterItem: return false
    }
    return true
  }

  /// Reads the `=` of a union or the separator of two items.
  mutating func read(separator: TokenKind) {
    if separator == .equals ? keyword == .union && stage == .afterName : stage == .afterItem { stage = .item }
  }

  var context: CursorContext {
    switch stage {
    case .keyword: return .keywords(TypeSystemKeyword.allCases.map(\.rawValue))
    case .name:
      guard isExtension, let kind = keyword?.typeKind else { return .nothing }
      return .typeName(.extended(kind))
    case .afterName, .item, .afterItem: break
    }
    let isItem = stage == .item
    let list = TypeList(name: name, isExtension: isExtension, listed: items)
    switch keyword {
    case .type, .interface:
      if isItem { return .typeName(.interface(list)) }
      return .ending(stage == .afterName ? ["implements"] : ["&"])
    case .union:
      if isItem { return .typeName(.unionMember(list)) }
      return .ending(stage == .afterName ? [] : ["|"])
    case .directive:
      if isItem { return .directiveLocation(used: items) }
      if stage == .afterItem { return .ending(["|"]) }
      return isExtension ? .ending([]) : .keywords(isRepeatable ? ["on"] : ["on", "repeatable"])
    case .enum, .input, .scalar: return .ending([])
    case .schema: return isExtension ? .ending([]) : .nothing
    case nil: return .nothing
    }
  }
}
