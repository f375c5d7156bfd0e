import ApusClientOperation
import ApusDigest
import ApusJSON

/// The keys that follow from a field's arguments: its own in its record, and those of the records that it leads to.
extension CachePolicies {
  /// The key of a field in its record: as the operation says, without the arguments that a policy leaves out, and with
  /// the digests of those that are secret.
  func fieldKey(_ field: PlanField, of typename: String?, variables: JSONValue) -> String {
    guard let policy = policy(field.field.name, of: typename) else { return field.argumentsKey }
    return key(field, policy, without: policy.omittedArguments(of: field, variables: variables), variables)
  }

  /// The component of a field in the paths of its embedded records: its name with all of its arguments.
  func pathKey(_ field: PlanField, of typename: String?, variables: JSONValue) -> String {
    guard let policy = policy(field.field.name, of: typename) else { return field.argumentsKey }
    return key(field, policy, without: [], variables)
  }

  private func key(
    _ field: PlanField, _ policy: FieldPolicy, without omitted: Set<String>, _ variables: JSONValue
  ) -> String {
    guard !omitted.isEmpty || !policy.secretArguments.isEmpty else { return field.argumentsKey }
    let values = field.field.argumentValues(variables: variables).filter { !omitted.contains($0.name) }
    guard !values.isEmpty else { return field.field.name }
    let shown = values.map { name, value in
      let isSecret = policy.secretArguments.contains(name) && !value.isNull
      return (name, isSecret ? JSONValue("sha256:" + SHA256Digest.hexadecimal(of: value.description)) : value)
    }
    return field.field.name + "(" + JSONValue.object(shown).description + ")"
  }

  /// The records that the key arguments of a field name, for a field that no record has yet.
  func redirect(
    _ field: PlanField, of typename: String?, variables: JSONValue, resolver: CacheKeyResolver
  ) -> FieldRedirect? {
    guard let policy = policy(field.field.name, of: typename), !policy.keyArguments.isEmpty,
      let target = policy.targetType ?? field.type?.name
    else { return nil }
    let values = field.field.argumentValues(variables: variables)
    var parts: [JSONValue] = []
    for argument in policy.keyArguments {
      guard let value = values.first(where: { $0.name == argument })?.value else { return nil }
      parts.append(value)
    }
    let group = resolver.uniqueKeyGroups[target] ?? target
    if parts.count == 1, parts[0].kind == .array {
      let keys = parts[0].elements.map { CacheKeyResolver.part($0, isOneOfSeveral: false) }
      guard !keys.contains(nil) else { return nil }
      return FieldRedirect(keys: keys.compactMap { $0 }.map { CacheKey("\(group):\($0)") }, isList: true)
    }
    let texts = parts.compactMap { CacheKeyResolver.part($0, isOneOfSeveral: parts.count > 1) }
    guard texts.count == parts.count else { return nil }
    return FieldRedirect(keys: [CacheKey("\(group):\(texts.joined(separator: "+"))")], isList: false)
  }
}

/// The records that the arguments of a field name.
struct FieldRedirect {
  let keys: [CacheKey]
  let isList: Bool
}
