import ApusGraphQLLanguage

extension Schema {
  /// The documents of the schema by the subgraph that they belong to. A subgraph links the federation specification once, so
  /// that several documents with a link are several subgraphs; the documents in the folder of a single one belong to it.
  package var subgraphs: [[Document]] {
    let own = documents
    guard own.count > 1, let federation, federation.isVersion2 else { return [own] }
    let linked = Set(
      federation.links.filter { $0.identity == LinkedSpecification.federation.identity }
        .map { ObjectIdentifier($0.directive.document) })
    guard linked.count > 1 else { return [own] }
    var groups: [[Document]] = []
    var groupsOfFolder: [Substring: [Int]] = [:]
    for document in own where linked.contains(ObjectIdentifier(document)) {
      groupsOfFolder[document.folder, default: []].append(groups.count)
      groups.append([document])
    }
    var others: [Document] = []
    for document in own where !linked.contains(ObjectIdentifier(document)) {
      if let group = groupsOfFolder[document.folder], group.count == 1 {
        groups[group[0]].append(document)
      } else {
        others.append(document)
      }
    }
    return others.isEmpty ? groups : groups + [others]
  }
}

extension Document {
  /// The name up to its last slash.
  fileprivate var folder: Substring {
    source.name.lastIndex(of: "/").map { source.name[..<$0] } ?? ""
  }
}
