import GraphQLLanguage
import GraphQLSchema

/// Arguments that must be given are given.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for set in context.selectionSets {
      for field in context.document.children(of: set)
      where context.kind(field) == .field && context.meaning[Int(field)] >= 0 {
        let record = context.storage.fields[Int(context.meaning[Int(field)])]
        check(field, record.arguments, context) {
          let isMeta = context.storage.names[record.name].hasPrefix("__")
          let parent = isMeta ? "<meta>" : context.typeName(UInt32(context.meaning[Int(set)]))
          return "\(parent).\(context.storage.names[record.name])"
        }
      }
    }
    for directive in context.directives where context.meaning[Int(directive)] >= 0 {
      let record = context.storage.directives[Int(context.meaning[Int(directive)])]
      check(directive, record.arguments, context) { "@\(context.storage.names[record.name])" }
    }
  }

  private static func check(_ node: NodeID, _ run: Run, _ context: ValidationContext, owner: () -> String) {
    for index in run.indices {
      let value = context.storage.inputValues[index]
      guard value.type.isNonNull, value.defaultValue == 0 else { continue }
      let isGiven = context.document.children(of: node).contains {
        context.kind($0) == .argument && context.meaning[Int($0)] == Int32(index)
      }
      if !isGiven {
        context.report(
          "Argument \"\(owner())(\(context.storage.names[value.name]):)\" of type \"\(context.text(value.type))\" is required, but it was not provided.",
          node)
      }
    }
  }
}
