/// What is generated, and how: the contents of `apus-generate.yml`.
public struct GenerationSettings: Sendable, Hashable {
  /// Who may use what is generated.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// The access level that generated declarations have in Swift.
    case `public`, package, `internal`
  }

  /// For which types of the schema selections are generated.
  public enum SelectionChoice: Sendable, Hashable {
    /// For none: no selections are generated.
    case none
    /// For all types.
    case all
    /// Types (`Human`) with all of their fields, or single fields (`Query.human`) with the types they give.
    case some([String])
  }

  /// How the output is cut into files.
  public enum Files: String, Sendable, Hashable, CaseIterable {
    /// Everything in one file.
    case one
    /// Two files whose names never change, which is what a build plugin can promise.
    case plugin
    /// A file for each operation and fragment, up to a hundred of them; what is more, and the rest, in files of at most
    /// 250 kB by first letters.
    case many
  }

  /// Who may use what is generated.
  public var access: Access = .public
  /// How the output is cut into files.
  public var files: Files = .many
  /// The name of an enum around everything that is generated for models, and part of their type names; nil puts them
  /// at the top of the module.
  public var module: String?
  /// Custom scalars with the Swift types that stand for them; those without are `JSONValue`.
  public var scalars: [String: String] = [:]
  /// Modules that the generated files import, such as the one with the scalars' types.
  public var imports: [String] = []
  /// For which types selections are generated.
  public var selections: SelectionChoice = .none
  /// Whether the text of operations is sent without blanks that mean nothing.
  public var minifiesDocuments = false
  /// Whether each model gets a function that makes one for tests.
  public var mocks = false
  /// Whether operations that are not valid are left out, with what uses them, instead of failing the generation.
  public var skipsInvalid = false
  /// The fields that make the keys of a type's records in the cache, where the schema does not say it.
  public var keyFields: [String: [String]] = [:]

  /// Models for other modules, in many files; no selections, no mocks.
  public init() {}
}

/// One file of generated source.
public struct GeneratedFile: Sendable, Hashable {
  /// Relative to the output folder.
  public let path: String
  /// The file's contents.
  public let text: String

  /// A file by its path and its contents.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
