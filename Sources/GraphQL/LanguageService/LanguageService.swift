import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What an editor asks of a document: what may be written here, what is this, where is it from, what can be done.
///
/// A value over an immutable document: make a new one for each edit.
package struct LanguageService: Sendable {
  package let document: Document
  package let schema: Schema?
  /// Fragments that the document does not define and may spread all the same.
  package var otherFragments: [OtherFragment] = []
  /// The names of fragments that others spread: they are not unused, whatever this document does.
  package var fragmentsSpreadElsewhere: Set<String> = []

  /// - Parameter schema: A document of type definitions is its own where none is given.
  package init(document: Document, schema: Schema?) {
    self.document = document
    let definesTypes = document.definitions.contains { !$0.isExecutable }
    self.schema = (schema ?? (definesTypes ? Schema.load(sdl: [document]) : nil))?.read(for: [document])
  }

  /// A fragment that is defined elsewhere, such as in another file of a folder.
  package struct OtherFragment: Sendable, Equatable {
    package let name: String
    package let typeCondition: String

    package init(name: String, typeCondition: String) {
      self.name = name
      self.typeCondition = typeCondition
    }
  }

  /// What is known where there is no schema: the specification's scalars and directives.
  static let builtIns = Schema.load(sdl: [Document]())
}
