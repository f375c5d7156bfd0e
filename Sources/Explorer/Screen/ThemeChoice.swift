import ApusExplorerTerminal

/// A theme that can be shown, made when it is: a person looks at one of many.
package struct ThemeChoice: Sendable {
  package let name: String
  package let variant: Theme.Variant
  private let make: @Sendable () -> Theme

  package init(name: String, variant: Theme.Variant, make: @escaping @Sendable () -> Theme) {
    self.name = name
    self.variant = variant
    self.make = make
  }

  package init(_ theme: Theme) {
    self.init(name: theme.name, variant: theme.variant) { theme }
  }

  package var theme: Theme { make() }
}
