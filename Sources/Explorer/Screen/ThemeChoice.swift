import ApusExplorerTerminal

/// An available theme, created only when it is shown.
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
