import Foundation
import FuzzDriver
import GraphQLLanguage

@main
enum Program {
  static func main() { exit(runFuzzer(CommandLine.argc, CommandLine.unsafeArgv)) }
}

/// What must hold for any bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let document = Document(parsing: Array(UnsafeBufferPointer(start: start, count: count)))
  precondition(document.nodes[0].next == NodeID(document.nodes.count))
  _ = document.tokens
  let formatted = Formatter.format(document)
  guard document.diagnostics.isEmpty else { return 0 }
  let printed = Document(parsing: Printer.print(document))
  precondition(printed.diagnostics.isEmpty)
  precondition(Printer.print(printed) == printed.text)
  precondition(Formatter.format(Document(parsing: formatted)) == formatted)
  return 0
}
