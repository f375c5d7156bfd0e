/// A source to load the schema from: the server, with the headers of a tab, or a file.
package enum SchemaRequest: Equatable, Sendable {
  case server(TabHeaders)
  case file(String)
}
