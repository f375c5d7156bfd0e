/// The settings of code generation, as in `apus-generate.yml`.
public struct GenerationSettings: Sendable, Hashable {
  /// The access level of generated declarations.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// The access levels of Swift.
    case `public`, package, `internal`
  }

  /// The types for which selections are generated.
  public enum SelectionChoice: Sendable, Hashable {
    /// No types: no selections are generated.
    case none
    /// All types.
    case all
    /// Types (`Human`) with all their fields, or single fields (`Query.human`) with their types.
    case some([String])
  }

  /// The division of the output into files.
  public enum Files: String, Sendable, Hashable, CaseIterable {
    /// A single file.
    case one
    /// Two files with fixed names, as build plugins require.
    case plugin
    /// A file per operation and fragment, such as `Operations/BirdsQuery.swift`, up to a hundred. Everything else is
    /// grouped by first letters into files of at most 250 kB.
    case many
  }

  /// The access level of generated declarations.
  public var access: Access = .public
  /// The division of the output into files.
  public var files: Files = .many
  /// The name of an enum around all generated types of models, and a part of their names; nil puts them at the top
  /// level of the module.
  public var module: String?
  /// Swift types of custom scalars, such as `["DateTime": "Date"]`. The others are `JSONValue`.
  public var scalars: [String: String] = [:]
  /// Modules to import in generated files, such as the one with the types of scalars.
  public var imports: [String] = []
  /// The types for which selections are generated.
  public var selections: SelectionChoice = .none
  /// Whether documents are sent without insignificant white space.
  public var minifiesDocuments = false
  /// Whether each model gets a function that creates one for tests.
  public var mocks = false
  /// Whether invalid operations, and everything that uses them, are omitted instead of failing the generation.
  public var skipsInvalid = false
  /// Key fields of types in the cache that are not declared in the schema: `["Bird": ["id"]]`.
  public var keyFields: [String: [String]] = [:]

  /// Creates the default settings: public models in many files, without selections and mocks.
  public init() {}
}

/// A generated file.
public struct GeneratedFile: Sendable, Hashable {
  /// The path relative to the output folder.
  public let path: String
  /// The file's contents.
  public let text: String

  /// Creates a file from its path and contents.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
