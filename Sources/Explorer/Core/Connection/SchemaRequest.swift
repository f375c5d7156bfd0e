/// Where a schema is to come from: the server, which is asked with the headers of a tab, or a file.
package enum SchemaRequest: Equatable, Sendable {
  case server(TabHeaders)
  case file(String)
}
