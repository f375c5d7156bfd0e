/// Where a schema is to come from: the server, which is asked with the headers of a tab, or a file.
package enum SchemaRequest: Hashable, Sendable {
  case server([HeaderLine])
  case file(String)
}
