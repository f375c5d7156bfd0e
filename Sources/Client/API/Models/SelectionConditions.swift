extension ModelSelection {
  /// A literal, a variable, or a negated variable.
  public enum Condition: Sendable, Hashable {
    /// A literal.
    case value(Bool)
    /// A Boolean variable, by its name without `$`; negated if `isInverted`.
    case variable(String, isInverted: Bool)

    var inverted: Condition {
      switch self {
      case .value(let value): .value(!value)
      case .variable(let name, let isInverted): .variable(name, isInverted: !isInverted)
      }
    }
  }

  /// A Boolean expression of variables and literals for `@include` and `@skip`, such as `("a" && !"b") || "c"`.
  public struct Conditions: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// The alternatives. All conditions of an alternative must hold.
    public let groups: [[Condition]]

    /// Creates conditions from alternatives, in each of which all conditions must hold: the groups `[a, b]` and `[c]`
    /// mean `("a" && "b") || "c"`. No groups mean false; an empty group means true.
    public init(_ groups: [[Condition]]) { self.groups = groups }
    public init(stringLiteral value: String) { groups = [[.variable(value, isInverted: false)]] }
    public init(booleanLiteral value: Bool) { groups = [[.value(value)]] }

    /// Combines conditions that must both hold.
    public static func && (left: Conditions, right: Conditions) -> Conditions {
      Conditions(left.groups.flatMap { group in right.groups.map { group + $0 } })
    }

    /// Combines conditions of which one must hold.
    public static func || (left: Conditions, right: Conditions) -> Conditions {
      Conditions(left.groups + right.groups)
    }

    /// Negates the conditions.
    public static prefix func ! (conditions: Conditions) -> Conditions {
      conditions.groups.reduce(Conditions([[]])) { result, group in
        result && Conditions(group.map { [$0.inverted] })
      }
    }
  }
}
