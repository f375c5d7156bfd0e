import ApusASCII
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Pages about a schema: an overview, one page per type and directive, and search results.
struct SchemaPageBuilder {
  let schema: Schema

  static func link(of element: SchemaElement) -> SchemaPageLink {
    switch element {
    case .type(let type): return SchemaPageLink(page: type.name)
    case .directive(let directive): return SchemaPageLink(page: "@\(directive.name)")
    case .field(let field): return SchemaPageLink(page: field.parentType.name, member: field.name)
    case .argument, .inputField, .enumValue:
      // For an argument the owner is a field, such as `Query.bird`.
      let parts = (element.owner ?? "").split(separator: ".").map(String.init)
      return SchemaPageLink(page: parts.first ?? "", member: parts.count > 1 ? parts[1] : element.name)
    }
  }

  func page(_ link: SchemaPageLink) -> SchemaPage? {
    if link.page.isEmpty { return overview(link) }
    if link.page.hasPrefix("@") {
      return schema.directive(named: String(link.page.dropFirst())).map { page(of: $0, link) }
    }
    return schema.type(named: link.page).map { page(of: $0, link) }
  }

  // MARK: The overview

  private func overview(_ link: SchemaPageLink) -> SchemaPage {
    var rows: [SchemaRow] = []
    if let description = schema.description { rows += text(description) }
    rows.append(SchemaRow(.heading, "Operations"))
    for (name, type) in [
      ("query", schema.queryType), ("mutation", schema.mutationType), ("subscription", schema.subscriptionType),
    ] {
      guard let type else { continue }
      rows.append(SchemaRow(.type, name, type: type.name, link: SchemaPageLink(page: type.name)))
    }
    let declared = schema.types.filter { !$0.isBuiltIn }
    let sorts: [(String, TypeKind)] = [
      ("Objects", .object), ("Interfaces", .interface), ("Unions", .union), ("Enums", .enum), ("Inputs", .inputObject),
      ("Scalars", .scalar),
    ]
    for (title, kind) in sorts {
      let types = declared.filter { $0.kind == kind }.sorted { $0.name < $1.name }
      guard !types.isEmpty else { continue }
      rows.append(SchemaRow(.heading, "\(title) (\(types.count))"))
      rows += types.map { row(of: $0) }
    }
    rows.append(SchemaRow(.heading, "Since the last session"))
    rows.append(SchemaRow(.type, "Schema changes", link: .changes))
    rows.append(SchemaRow(.heading, "Directives"))
    rows += schema.directives.map {
      SchemaRow(
        .type, "@\($0.name)", note: firstLine($0.description), link: SchemaPageLink(page: "@\($0.name)"))
    }
    let deprecated = deprecatedRows(declared)
    if !deprecated.isEmpty {
      rows.append(SchemaRow(.heading, "Deprecated (\(deprecated.count))"))
      rows += deprecated
    }
    return SchemaPage(link: link, title: "Schema", rows: rows)
  }

  private func deprecatedRows(_ types: [TypeDefinition]) -> [SchemaRow] {
    types.flatMap { type in
      type.fields.filter(\.isDeprecated).map { field in
        SchemaRow(
          .field, "\(type.name).\(field.name)", type: field.type.description, note: field.deprecationReason ?? "",
          isDeprecated: true, link: SchemaPageLink(page: type.name, member: field.name))
      }
        + type.enumValues.filter(\.isDeprecated).map { value in
          SchemaRow(
            .value, "\(type.name).\(value.name)", note: value.deprecationReason ?? "", isDeprecated: true,
            link: SchemaPageLink(page: type.name, member: value.name))
        }
    }
  }

  private func row(of type: TypeDefinition, depth: Int = 0) -> SchemaRow {
    let page = SchemaPageLink(page: type.name)
    return SchemaRow(
      .type, type.name, note: firstLine(type.description), depth: depth, link: page,
      subject: type.isComposite ? page : nil)
  }

  private func firstLine(_ text: String?) -> String {
    String(text?.split(whereSeparator: \.isNewline).first ?? "")
  }

  private func text(_ description: String) -> [SchemaRow] {
    description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      SchemaRow(.text, String($0))
    }
  }

  // MARK: A type

  private func page(of type: TypeDefinition, _ link: SchemaPageLink) -> SchemaPage {
    var rows = type.description.map(text) ?? []
    if let url = type.specifiedByURL { rows.append(SchemaRow(.text, "Specified by \(url)")) }
    if !type.fields.isEmpty {
      rows.append(SchemaRow(.heading, "Fields"))
      for field in type.fields {
        rows.append(
          SchemaRow(
            .field, field.name, type: field.type.description, note: firstLine(field.description),
            isDeprecated: field.isDeprecated, link: field.type.definition.map { SchemaPageLink(page: $0.name) },
            subject: SchemaPageLink(page: type.name, member: field.name)))
        if let reason = field.deprecationReason { rows.append(SchemaRow(.deprecation, reason, depth: 1)) }
        rows += field.arguments.map { self.row(of: $0, .argument, depth: 1) }
      }
    }
    if !type.inputFields.isEmpty {
      rows.append(SchemaRow(.heading, type.isOneOf ? "Fields (exactly one is required)" : "Fields"))
      rows += type.inputFields.map { self.row(of: $0, .field, depth: 0) }
    }
    if !type.enumValues.isEmpty {
      rows.append(SchemaRow(.heading, "Values"))
      for value in type.enumValues {
        rows.append(
          SchemaRow(.value, value.name, note: firstLine(value.description), isDeprecated: value.isDeprecated))
        if let reason = value.deprecationReason { rows.append(SchemaRow(.deprecation, reason, depth: 1)) }
      }
    }
    rows += list("Implements", type.interfaces.map { row(of: $0) })
    if type.isAbstract { rows += list("Possible types", type.possibleTypes.map { row(of: $0) }) }
    if type.kind == .object {
      let unions = schema.types.filter { $0.kind == .union && schema.isPossibleType(type, of: $0) }
      rows += list("Member of", unions.map { row(of: $0) })
    }
    rows += list("Used by", uses(of: type))
    return SchemaPage(link: link, title: HoverText.declaration(of: .type(type)), rows: rows)
  }

  private func list(_ title: String, _ rows: [SchemaRow]) -> [SchemaRow] {
    rows.isEmpty ? [] : [SchemaRow(.heading, "\(title) (\(rows.count))")] + rows
  }

  private func row(of input: InputValueDefinition, _ kind: SchemaRow.Kind, depth: Int) -> SchemaRow {
    SchemaRow(
      kind, input.name, type: input.type.description + (input.defaultValueText.map { " = \($0)" } ?? ""),
      note: firstLine(input.description), isDeprecated: input.isDeprecated, depth: depth,
      link: input.type.definition.map { SchemaPageLink(page: $0.name) })
  }

  /// Returns the fields that return the type, or that take it as an argument or input field.
  private func uses(of type: TypeDefinition) -> [SchemaRow] {
    let name = type.nameID
    return schema.types.flatMap { owner -> [SchemaRow] in
      var rows: [SchemaRow] = []
      guard !owner.isBuiltIn else { return rows }
      for field in owner.fields {
        let takes = field.arguments.filter { $0.type.packed.name == name }.map(\.name)
        guard field.type.packed.name == name || !takes.isEmpty else { continue }
        rows.append(
          SchemaRow(
            .field, "\(owner.name).\(field.name)" + (takes.isEmpty ? "" : "(\(takes.joined(separator: ", ")))"),
            type: field.type.description, isDeprecated: field.isDeprecated,
            link: SchemaPageLink(page: owner.name, member: field.name),
            subject: SchemaPageLink(page: owner.name, member: field.name)))
      }
      for input in owner.inputFields where input.type.packed.name == name {
        rows.append(
          SchemaRow(
            .field, "\(owner.name).\(input.name)", type: input.type.description,
            link: SchemaPageLink(page: owner.name, member: input.name)))
      }
      return rows
    }
  }

  private func page(of directive: DirectiveDefinition, _ link: SchemaPageLink) -> SchemaPage {
    var rows = directive.description.map(text) ?? []
    rows += list("Arguments", directive.arguments.map { row(of: $0, .argument, depth: 0) })
    rows += list("Locations", directive.locations.map { SchemaRow(.value, $0.rawValue) })
    return SchemaPage(link: link, title: HoverText.declaration(of: .directive(directive)), rows: rows)
  }

  // MARK: Search

  /// Returns the arguments that match an argument coordinate, complete or partly typed, such as `Query.birds(fi`.
  private func arguments(at text: String) -> [SchemaRow] {
    guard let bracket = text.firstIndex(of: "("),
      let owner = try? schema.element(at: SchemaCoordinate(String(text[..<bracket])))
    else { return [] }
    let typed = Array(text[bracket...].filter { !"(:) ".contains($0) }.utf8)
    let arguments: [InputValueDefinition]
    switch owner {
    case .field(let field): arguments = field.arguments
    case .directive(let directive): arguments = directive.arguments
    case .type, .argument, .inputField, .enumValue: return []
    }
    let page = Self.link(of: owner).page
    return
      arguments.compactMap { argument in
        CompletionRanking.distance(of: argument.name, from: typed).map { (score: $0, argument: argument) }
      }
      .sorted { $0.score < $1.score }
      .map { _, argument in
        var row = row(of: argument, .argument, depth: 0)
        row.name = "\(text[..<bracket])(\(argument.name):)"
        row.link = SchemaPageLink(page: page, member: argument.name, of: owner.isField ? owner.name : nil)
        return row
      }
  }

  /// Searches the schema. Matching names come first, the closest first, then matching descriptions. A complete
  /// coordinate (`Query.birds`) finds its element; an incomplete argument coordinate (`Query.birds(fi`) finds the
  /// arguments that match it.
  func search(_ text: String) -> [SchemaRow] {
    let arguments = arguments(at: text)
    guard arguments.isEmpty else { return arguments }
    let normalized = Array(text.filter { !$0.isWhitespace }.utf8)
    guard !normalized.isEmpty else { return [] }
    let words = Array(text.lowercased().utf8)
    var found: [(score: Int, row: SchemaRow)] = []
    let roots = [schema.queryType, schema.mutationType, schema.subscriptionType].compactMap(\.self)
    func add(_ name: String, _ element: SchemaElement, _ kind: SchemaRow.Kind, owner: TypeDefinition?) {
      let full = owner.map { "\($0.name).\(name)" } ?? name
      guard let score = element.score(name, full, for: normalized, words) else { return }
      found.append(
        (
          // Of equal matches, a field that an operation begins with is first, and deprecated elements are last.
          score * 4 + (owner.map(roots.contains) == true ? 0 : 1) + (element.isDeprecated ? 2 : 0),
          SchemaRow(
            kind, full, type: element.typeText ?? "", note: firstLine(element.description),
            isDeprecated: element.isDeprecated, link: Self.link(of: element), subject: element.subject)
        ))
    }
    for type in schema.types where !type.isBuiltIn {
      add(type.name, .type(type), .type, owner: nil)
      for field in type.fields { add(field.name, .field(field), .field, owner: type) }
      for field in type.inputFields { add(field.name, .inputField(field), .field, owner: type) }
      for value in type.enumValues { add(value.name, .enumValue(value), .value, owner: type) }
    }
    for directive in schema.directives { add("@\(directive.name)", .directive(directive), .type, owner: nil) }
    // An exact coordinate sorts first.
    if let coordinate = try? SchemaCoordinate(text), coordinate.isOfMember,
      let element = try? schema.element(at: coordinate),
      let exact = found.firstIndex(where: { $0.row.name == text && $0.row.link == Self.link(of: element) })
    {
      found[exact].score = -1
    }
    return found.enumerated()
      .sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }
      .prefix(200)
      .map(\.element.row)
  }
}

extension SchemaCoordinate {
  fileprivate var isOfMember: Bool { if case .member = self { true } else { false } }
}

extension SchemaElement {
  fileprivate var isField: Bool { if case .field = self { true } else { false } }

  /// Returns the distance of an element from the searched text; nil if neither its name nor its description matches.
  fileprivate func score(_ name: String, _ full: String, for searched: [UInt8], _ words: [UInt8]) -> Int? {
    var score = CompletionRanking.distance(of: name, from: searched)
    if name != full, let fullDistance = CompletionRanking.distance(of: full, from: searched) {
      // A field can also be found by its type and name.
      score = min(score.map { $0 + 1 } ?? .max, fullDistance + 20)
    }
    if score ?? .max > 200, words.count > 2, describes(words) { score = min(score ?? .max, 500) }
    return score
  }

  /// The place that a query can be derived for.
  fileprivate var subject: SchemaPageLink? {
    switch self {
    case .field: SchemaPageBuilder.link(of: self)
    case .type(let type): type.isComposite ? SchemaPageBuilder.link(of: self) : nil
    case .argument, .inputField, .enumValue, .directive: nil
    }
  }

  /// Whether the description contains the words, ignoring case. Compares the document's bytes, because creating a
  /// string for each description of a large schema would delay typing.
  fileprivate func describes(_ words: [UInt8]) -> Bool {
    guard let range = descriptionRange, let document = place?.document, range.count >= words.count else { return false }
    return document.source.bytes.withUnsafeBufferPointer { bytes in
      let last = range.upperBound - words.count
      var start = range.lowerBound
      while start <= last {
        var matched = 0
        while matched < words.count {
          let byte = bytes[start + matched]
          guard byte.lowercased == words[matched] else { break }
          matched += 1
        }
        if matched == words.count { return true }
        start += 1
      }
      return false
    }
  }

  private var descriptionRange: Range<Int>? {
    func range(_ node: some SyntaxView) -> Range<Int>? {
      node.flags.contains(.hasDescription) ? node.document.nodes[Int(node.id) + 1].range : nil
    }
    switch self {
    case .type(let type): return type.nodes.first.flatMap { range($0) }
    case .field(let field): return range(field.node)
    case .argument(let input), .inputField(let input): return range(input.node)
    case .enumValue(let value): return range(value.node)
    case .directive(let directive): return range(directive.node)
    }
  }
}
