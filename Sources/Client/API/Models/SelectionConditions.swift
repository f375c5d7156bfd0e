extension ModelSelection {
  /// A literal, a variable, or the opposite of a variable.
  public enum Condition: Sendable, Hashable {
    /// Always or never.
    case value(Bool)
    /// As a Boolean variable says, by its name without `$`; the opposite where `isInverted`.
    case variable(String, isInverted: Bool)

    var inverted: Condition {
      switch self {
      case .value(let value): .value(!value)
      case .variable(let name, let isInverted): .variable(name, isInverted: !isInverted)
      }
    }
  }

  /// What `@include` and `@skip` ask: variables and literals, and how they are joined. `("a" && !"b") || "c"`
  public struct Conditions: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// Alternatives; of one, all must hold.
    public let groups: [[Condition]]

    /// Conditions from their alternatives, of each of which all must hold: a group of `a` and `b` and one of `c` are
    /// `("a" && "b") || "c"`. No group at all never holds, an empty group always does.
    public init(_ groups: [[Condition]]) { self.groups = groups }
    public init(stringLiteral value: String) { groups = [[.variable(value, isInverted: false)]] }
    public init(booleanLiteral value: Bool) { groups = [[.value(value)]] }

    /// Holds where both hold.
    public static func && (left: Conditions, right: Conditions) -> Conditions {
      Conditions(left.groups.flatMap { group in right.groups.map { group + $0 } })
    }

    /// Holds where one of the two holds.
    public static func || (left: Conditions, right: Conditions) -> Conditions {
      Conditions(left.groups + right.groups)
    }

    /// Holds where the conditions do not.
    public static prefix func ! (conditions: Conditions) -> Conditions {
      conditions.groups.reduce(Conditions([[]])) { result, group in
        result && Conditions(group.map { [$0.inverted] })
      }
    }
  }
}
