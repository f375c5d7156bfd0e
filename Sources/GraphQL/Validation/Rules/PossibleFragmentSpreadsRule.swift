import ApusGraphQLLanguage

/// A fragment is spread only where its type can be met.
///
/// Specification: Fragment Spread Is Possible.
enum PossibleFragmentSpreadsRule: ValidationRule {
  /// A type and the type on which a fragment of it is spread.
  private struct Pair: Hashable {
    let type: UInt32
    let parent: UInt32
  }

  static func check(_ context: ValidationContext) {
    var known: [Pair: Bool] = [:]
    func isImpossible(_ type: UInt32, _ parent: UInt32) -> Bool {
      let pair = Pair(type: type, parent: parent)
      if let answer = known[pair] { return answer }
      let answer = context.isComposite(type) && context.schema?.overlaps(parent, type) == false
      known[pair] = answer
      return answer
    }
    for fragment in context.inlineFragments {
      guard let condition = context.child(fragment, .namedType), let type = context.type(condition),
        let parent = parent(fragment, context), isImpossible(type, parent)
      else { continue }
      context.report(
        "Fragment cannot be spread here as objects of type \"\(context.typeName(parent))\" can never be of type \"\(context.typeName(type))\".",
        fragment)
    }
    for spread in context.spreads {
      guard let fragment = context.fragment(of: spread), context.meaning[Int(fragment)] >= 0,
        let parent = parent(spread, context)
      else { continue }
      let type = UInt32(context.meaning[Int(fragment)])
      guard isImpossible(type, parent) else { continue }
      context.report(
        "Fragment \"\(context.name(spread + 1))\" cannot be spread here as objects of type \"\(context.typeName(parent))\" can never be of type \"\(context.typeName(type))\".",
        spread)
    }
  }

  private static func parent(_ node: NodeID, _ context: ValidationContext) -> UInt32? {
    context.meaning[Int(node)] < 0 ? nil : UInt32(context.meaning[Int(node)])
  }
}
