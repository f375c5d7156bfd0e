// Former names of public declarations, which the next version removes.

/// The former name of `GenerationDiagnostic`.
@available(*, deprecated, renamed: "GenerationDiagnostic")
public typealias Diagnostic = GenerationDiagnostic
