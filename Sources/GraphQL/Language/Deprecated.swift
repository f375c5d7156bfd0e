// Former names of public declarations, which the next version removes.

/// The former name of `GraphQLDiagnostic`.
@available(*, deprecated, renamed: "GraphQLDiagnostic")
public typealias DocumentProblem = GraphQLDiagnostic
