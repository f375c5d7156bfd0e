import ApusClientImports
import ApusExplorerCore
import Testing

@Suite struct ImportTitleTests {
  @Test func `the import command names each format`() {
    #expect(Command.importRequest.title == "Import requests: \(ImportFormat.names)")
  }
}
