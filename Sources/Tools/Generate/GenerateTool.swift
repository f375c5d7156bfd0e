import ApusCodeGeneration
import ApusConfiguration
import ApusPlatform

/// `apus-generate CONFIG [OUTPUT [--plugin]]`, the program that the plugins run. It reads and writes files and does not
/// use the network.
///
/// A build plugin must declare its outputs in advance: with `--plugin` they are `Models.swift` and `Selections.swift`,
/// which may be empty.
@main
struct GenerateTool {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let isPlugin = words.last == "--plugin"
    let operands = isPlugin ? words.dropLast() : words[...]
    guard let file = operands.first, operands.count <= 2 else {
      return end("usage: apus-generate CONFIG [OUTPUT [--plugin]]", 2)
    }
    guard let contents = (try? UserFile.read(file)) ?? nil else {
      return end("\(file): error: the file cannot be read", 5)
    }
    do throws(GenerationError) {
      var plan = try GenerationPlan(
        reading: String(decoding: contents, as: UTF8.self), file: file, output: operands.count == 2 ? operands[1] : nil)
      let folder = try plan.outputFolder()
      if isPlugin { plan.settings.files = .plugin }
      let input = try GenerationInput.read(plan)
      let output = try CodeGenerator(
        schema: input.schema, documents: input.documents, settings: plan.settings
      ).output()
      for warning in output.warnings { write(warning.warning + "\n") }
      let outcome = try folder.update(output.files)
      print("\(outcome.written.count) written, \(outcome.unchanged.count) unchanged, \(outcome.removed.count) removed")
    } catch {
      end(error.description, 1)
    }
  }

  private static func end(_ message: String, _ code: Int32) {
    for line in message.split(separator: "\n") { write(String(line) + "\n") }
    exit(code)
  }

  private static func write(_ text: String) {
    _ = FileDescriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}
