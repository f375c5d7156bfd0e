let q = /* GraphQL */ #"""
  query { a \#(x) }
  """#
let s = "\(1)"
