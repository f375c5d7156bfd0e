import ApusGraphQLLanguage

extension Schema {
  /// The documents of the schema, grouped by subgraph. A subgraph links the federation specification once, so each
  /// document with a link is a separate subgraph. Documents in the folder of a single link belong to it.
  package var subgraphs: [[Document]] {
    let local = documents
    guard local.count > 1, let federation, federation.isVersion2 else { return [local] }
    let linked = Set(
      federation.links.filter { $0.identity == LinkedSpecification.federation.identity }
        .map { ObjectIdentifier($0.directive.document) })
    guard linked.count > 1 else { return [local] }
    var groups: [[Document]] = []
    var groupsOfFolder: [Substring: [Int]] = [:]
    for document in local where linked.contains(ObjectIdentifier(document)) {
      groupsOfFolder[document.folder, default: []].append(groups.count)
      groups.append([document])
    }
    var others: [Document] = []
    for document in local where !linked.contains(ObjectIdentifier(document)) {
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
