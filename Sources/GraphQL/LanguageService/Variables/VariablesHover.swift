import ApusGraphQLLanguage
import ApusGraphQLSchema

extension VariablesService {
  /// Returns the hover information at a byte offset of the variables, for a variable, an input field or an enum value.
  package func hover(at offset: Int) -> Hover? {
    guard let finding = find(offset), !finding.range.isEmpty else { return nil }
    switch finding.place {
    case .variableName:
      guard let variable = finding.variable else { return nil }
      var code = "$\(variable.variable.name.value): \(variable.type)"
      if let value = variable.defaultValue { code += " = \(value.text)" }
      let type = schema?.type(named: variable.type.name)?.description
      return Hover(
        contents: HoverText.joined(code: code, [variable.description ?? type]), range: finding.range)
    case .inputField:
      return finding.field.map { Hover(contents: HoverText.contents(of: .inputField($0)), range: finding.range) }
    case .value(let type):
      let text = text.text(finding.range).filter { $0 != "\"" }
      guard let value = type?.definition?.enumValue(named: text) else { return nil }
      return Hover(contents: HoverText.contents(of: .enumValue(value)), range: finding.range)
    case .unknown: return nil
    }
  }
}
