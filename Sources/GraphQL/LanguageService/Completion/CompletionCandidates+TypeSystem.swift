import ApusGraphQLLanguage
import ApusGraphQLSchema

// Definitions and names in the schema language.
extension CompletionCandidates {
  func keywords(_ words: [String]) -> [CompletionItem] { words.map { CompletionItem(label: $0, kind: .keyword) } }

  /// Returns the keywords that begin a definition, first those of the document's language. In a document of one language,
  /// the keywords of the other are added only once a letter is typed.
  func definitionKeywords(isDescribed: Bool = false) -> [CompletionItem] {
    let definitions = document.definitions
    let isTypeSystem = definitions.contains { !$0.isExecutable } || document.source.name.hasSuffix(".graphqls")
    let isExecutable = definitions.contains(where: \.isExecutable)
    let typeSystem = TypeSystemKeyword.allCases.map(\.rawValue) + (isDescribed ? [] : ["extend"])
    let (first, second) =
      isTypeSystem && !isExecutable ? (typeSystem, executableKeywords) : (executableKeywords, typeSystem)
    // A document without definitions may become either.
    let mayBeBoth = isTypeSystem ? isExecutable : !isExecutable
    return keywords(first + (mayBeBoth || !place.replaced.isEmpty ? second : []))
  }

  private var executableKeywords: [String] {
    var words = ["query"]
    if schema == nil || schema?.mutationType != nil { words.append("mutation") }
    if schema == nil || schema?.subscriptionType != nil { words.append("subscription") }
    return words + ["fragment"]
  }

  func typeNames(_ use: TypeNameUse) -> [CompletionItem] {
    let types = (schema ?? LanguageService.builtIns).types.filter { !$0.name.hasPrefix("__") }
    switch use {
    case .output: return types.filter(\.isOutput).map(Self.item)
    case .input: return types.filter(\.isInput).map(Self.item)
    case .root: return types.filter { $0.kind == .object }.map(Self.item)
    case .interface(let list):
      let others = listed(in: list)
      return types.filter { type in
        type.kind == .interface && !others.contains(type.name) && type.name != list.name
          && !type.interfaces.contains { $0.name == list.name }
      }.map(Self.item)
    case .unionMember(let list):
      let others = listed(in: list)
      return types.filter { $0.kind == .object && !others.contains($0.name) }.map(Self.item)
    case .extended(let kind): return types.filter { $0.kind == kind }.map(Self.item)
    }
  }

  /// Returns the interfaces or union members that are listed around the word, and those of the extended type.
  private func listed(in list: TypeList) -> Set<String> {
    var names: Set<String> = []
    if list.isExtension, let type = schema?.type(named: list.name) {
      names = Set((type.kind == .union ? type.possibleTypes : type.interfaces).map(\.name))
      names.remove(document.source.text(place.replaced))
    }
    names.formUnion(list.listed)
    let definition = document.nodes(containing: place.replaced.lowerBound).dropFirst().first
    guard let definition, case .typeDefinition(let node) = DefinitionNode(document, definition.id) else { return names }
    let others = (node.interfaces + node.memberTypes).map(\.name).filter { $0.range != place.replaced }
    return names.union(others.map(\.value))
  }

  /// Returns the fields that interfaces require, with their arguments and types.
  func interfaceFields(of interfaces: Set<String>, used: Set<String>) -> [CompletionItem] {
    var seen = used
    return interfaces.sorted().compactMap { schema?.type(named: $0) }.flatMap(\.fields).compactMap { field in
      guard seen.insert(field.name).inserted else { return nil }
      let arguments = field.arguments.map { argument in
        "\(argument.name): \(argument.type)" + (argument.defaultValueText.map { " = \($0)" } ?? "")
      }.joined(separator: ", ")
      let isBare = place.isFollowed(by: ":") || place.isFollowed(by: "(")
      let text = "\(field.name)\(arguments.isEmpty ? "" : "(\(arguments))"): \(field.type)"
      return CompletionItem(
        label: field.name, kind: .field, definition: .field(field), snippet: Snippet(isBare ? field.name : text))
    }
  }

  func rootOperations(used: Set<String>) -> [CompletionItem] {
    ["query", "mutation", "subscription"].filter { !used.contains($0) }.map { word in
      CompletionItem(
        label: word, kind: .keyword, snippet: Snippet(place.isFollowed(by: ":") ? word : "\(word): "))
    }
  }
}
