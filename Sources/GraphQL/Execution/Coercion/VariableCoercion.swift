import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

extension InputCoercion {
  /// CoerceVariableValues (section 6.1.2). Every invalid variable is reported.
  static func variables(
    of operation: OperationDefinitionNode, given: JSONValue?, schema: Schema, scalars: [String: ScalarCoding]
  ) -> Result<[String: JSONValue], RequestError> {
    let coercion = InputCoercion(scalars: scalars)
    var values: [String: JSONValue] = [:]
    var errors: [ExecutionError] = []
    for definition in operation.variableDefinitions {
      let name = definition.variable.name.value
      let type = VariableType(node: definition.type, schema: schema)
      guard type.definition?.isInput == true else {
        errors.append(
          ExecutionError(
            "Variable \"$\(name)\" expected value of type \"\(definition.type)\" which cannot be used as an input type.",
            at: [definition.type]))
        continue
      }
      guard let value = given?[name] else {
        if let defaultValue = definition.defaultValue {
          do throws(ExecutionError) {
            values[name] = try coercion.literal(defaultValue, as: type)
          } catch {
            errors.append(
              ExecutionError("Variable \"$\(name)\" has invalid default value. \(error.message)", at: [defaultValue]))
          }
        } else if type.isNonNull {
          errors.append(
            ExecutionError("Variable \"$\(name)\" of required type \"\(type)\" was not provided.", at: [definition]))
        }
        continue
      }
      if value.isNull, type.isNonNull {
        errors.append(
          ExecutionError("Variable \"$\(name)\" of non-null type \"\(type)\" must not be null.", at: [definition]))
        continue
      }
      var problems: [(place: String, message: String)] = []
      values[name] = coercion.value(value, as: type, at: name, problems: &problems)
      for problem in problems {
        let place = problem.place == name ? "" : " at \"\(problem.place)\""
        errors.append(
          ExecutionError("Variable \"$\(name)\" got an invalid value\(place); \(problem.message)", at: [definition]))
      }
    }
    return errors.isEmpty ? .success(values) : .failure(RequestError(errors: errors))
  }
}

/// The errors of a request that was not executed. Its response has no data.
package struct RequestError: Error, Sendable {
  package var errors: [ExecutionError]

  package init(errors: [ExecutionError]) { self.errors = errors }

  package var response: JSONValue { .object([("errors", .array(errors.map(\.json)))]) }
}
