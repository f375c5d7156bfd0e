import ApusCodeGeneration

/// Checks the generator as a library.
func checkGenerator(_ report: Report) throws {
  let schema = "type Query { a(x: Int): Thing } type Thing { id: ID! b: String } enum E { A }"
  var settings = GenerationSettings()
  settings.access = GenerationSettings.Access.internal
  settings.files = GenerationSettings.Files.one
  settings.selections = GenerationSettings.SelectionChoice.none
  let generator = CodeGenerator(
    schema: schema, documents: [(name: "q.graphql", text: "query Q { a { id b } }")], settings: settings)
  let output: GenerationOutput = try generator.output()
  let file: GeneratedFile? = output.files.first
  report.check("one file is made", output.files.count, is: 1)
  report.check("with the operation", file?.text.contains("struct QQuery: GraphQLQuery"), is: true)
  report.check("a field of type ID is marked", file?.text.contains(#"scalar: "ID""#), is: true)
  report.check("without warnings", output.warnings.isEmpty)
  report.check("generation is repeatable", try generator.generate(), is: output.files)
  do {
    _ = try CodeGenerator(schema: schema, documents: [(name: "q.graphql", text: "{ a { c } }")]).generate()
    report.check("an invalid document is refused", false)
  } catch {
    let failure: GenerationError = error
    let diagnostic: GenerationDiagnostic? = failure.diagnostics.first
    report.check("an invalid document is refused", diagnostic?.file, is: "q.graphql")
    report.check("with its line", diagnostic?.line, is: 1)
  }
  let plan: GenerationPlan = try GenerationPlan(reading: "schema: a.graphql\noutput: Out\n", file: "apus-generate.yml")
  report.check("a configuration is read", plan.schema, is: ["a.graphql"])
  report.check("a configuration whose files are missing has none", GenerationInput.files(of: plan).isEmpty)
  let folder = OutputFolder("/tmp/apus-checks-\(UInt64.random(in: 0 ... .max))")
  let outcome: OutputFolder.Outcome = try folder.update([])
  report.check("no documents give no files", outcome.written.isEmpty)
}
