import ApusClientRecords
import ApusJSON

/// Reading a connection from several of its pages.
extension RecordReader {
  /// Writes a connection object: the edges and nodes of the pages, a page info for their first and last edge, and the other
  /// fields of the last page.
  mutating func write(_ stretch: ConnectionSlice, _ shapes: ReaderNode) {
    let page = stretch.last.record
    let shape = shapes.shape(type: storage[page].type, in: storage)
    let hash = storage.hash(of: page)
    dependOn(hash, ChangedKeys.wholeRecord)
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    for (index, field) in shape.fields.enumerated() where field.usages.isEmpty {
      dependOn(hash, field.hash)
      let start = text.count
      if !isFirst { text.append(UInt8(ascii: ",")) }
      shape.appendMember(index, to: text)
      let isThere = within(field) { reader in
        switch (field.name, field.child) {
        case ("edges", let child?) where !stretch.edges.isEmpty || stretch.nodes.isEmpty:
          reader.writeList(stretch.edges, child: child, field.plan)
          return true
        case ("nodes", let child?) where !stretch.nodes.isEmpty || stretch.edges.isEmpty:
          reader.writeList(stretch.nodes, child: child, field.plan)
          return true
        case ("pageInfo", let child?):
          reader.writePageInfo(stretch, child)
          return true
        default:
          guard let slot = reader.value(of: field, in: stretch.last.record) else { return false }
          return field.child.map { reader.write(slot, child: $0, field.plan, level: 0) }
            ?? (reader.isRight(slot, field) && reader.writeLeaf(slot, of: field))
        }
      }
      if isThere {
        isFirst = false
      } else {
        text.cut(to: start)
        missIfRequired(field, in: stretch.last.record)
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  private mutating func writePageInfo(_ stretch: ConnectionSlice, _ shapes: ReaderNode) {
    let (id, info) = (stretch.last.pageInfo, stretch.pageInfo)
    let shape = shapes.shape(type: id.flatMap { storage[$0].type }, in: storage)
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    for (index, field) in shape.fields.enumerated() where field.usages.isEmpty {
      let wrapperValue = info.first { $0.name == field.name }?.value
      let slot = id.flatMap { value(of: field, in: $0) }
      guard wrapperValue != nil || slot.map({ field.child == nil && isRight($0, field) }) == true else {
        missIfRequired(field, in: id)
        continue
      }
      let start = text.count
      if !isFirst { text.append(UInt8(ascii: ",")) }
      shape.appendMember(index, to: text)
      if let wrapperValue {
        var json = wrapperValue.description
        json.withUTF8 { text.append($0) }
      } else if slot.map({ writeLeaf($0, of: field) }) != true {
        text.cut(to: start)
        missIfRequired(field, in: id)
        continue
      }
      isFirst = false
    }
    text.append(UInt8(ascii: "}"))
  }
}
