import ApusClientOperation
import ApusDigest
import ApusJSON

/// Keys that depend on a field's arguments: the field's key in its record, and the keys of the records it refers to.
extension CachePolicies {
  /// Returns the key of a field in its record: its name and arguments, without arguments that a merge policy omits and
  /// with digests in place of secret arguments. `bird(token: "a", id: 1)` has the key
  /// `bird({"id":1,"token":"sha256:ac8d…"})` if the token is secret.
  func fieldKey(_ field: PlanField, of typename: String?, variables: JSONValue) -> String {
    guard let policy = policy(field.field.name, of: typename) else { return field.argumentsKey }
    return key(field, policy, without: policy.omittedArguments(of: field, variables: variables), variables)
  }

  /// Returns a field's component in the paths of embedded records: its name and all arguments.
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

  /// Returns the records that the key arguments of a field identify, for a field that is not in the cache: `Bird:b42`
  /// for `bird(id: "b42")`, and a list of records for `birds(ids: ["b42"])`.
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

/// The records that a field's key arguments identify.
struct FieldRedirect {
  let keys: [CacheKey]
  let isList: Bool
}
