import ApusGraphQLLanguage

/// A link in a document to a file or a web page.
package struct DocumentLink: Sendable, Equatable {
  package enum Target: Sendable, Equatable {
    /// A path as written, relative to the document's folder.
    case file(String)
    case url(String)
  }

  /// The byte range of the path or URL.
  package let range: Range<Int>
  package let target: Target
}

extension LanguageService {
  /// Returns links to the files that comments import (`# import Name from "file.graphql"`, `#import "file.graphql"`) and to
  /// the pages of `@specifiedBy`.
  package func links() -> [DocumentLink] {
    var links = document.imports.map { DocumentLink(range: $0.range, target: .file($0.path)) }
    for (index, node) in document.nodes.enumerated() where node.kind == .directive {
      let directive = DirectiveNode(document, NodeID(index))
      guard directive.name.hasValue("specifiedBy"), let url = directive.argument(named: "url")?.value,
        url.kind == .string, url.range.count > 2
      else { continue }
      let target = url.stringValue
      guard target.hasPrefix("https://") || target.hasPrefix("http://") else { continue }
      links.append(DocumentLink(range: url.range.lowerBound + 1..<url.range.upperBound - 1, target: .url(target)))
    }
    return links.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}
