// Former names of public declarations, which the next version removes.

/// The former name of `TapePosition`.
@available(*, deprecated, renamed: "TapePosition")
public typealias TapePlace = TapePosition
