import ApusJSON

/// A root field that returned data, with the response to the operation without directives.
struct ProbedField: Sendable {
  let field: DerivedField
  let exchange: Exchange

  var value: JSONValue? { exchange.data?[field.name] }
}

/// The operations of a run: root fields that were requested once, grouped by the needs of audits.
struct OperationPool: Sendable {
  /// Fields that returned data without errors.
  var fields: [ProbedField] = []
  /// Fields whose responses had data and errors.
  var failing: [ProbedField] = []
  /// Lists that are empty if they are requested with a size of 0.
  var emptyLists: [ProbedField] = []
  /// Fields that took longer than the settings' `slowDuration`.
  var slow: [ProbedField] = []

  static let fieldLimit = 12
}

extension AuditContext {
  /// Requests each root field once that needs no unknown values.
  func probe() async throws -> OperationPool {
    if let pool { return pool }
    guard let schema else {
      throw AuditStop.notApplicable("the schema is unknown: introspection is disabled, and there is no --schema")
    }
    var pool = OperationPool()
    var deriver = FieldDeriver(schema: schema)
    var tried: Set<String> = []
    // A second round uses the identifiers from the first.
    for _ in 0..<2 {
      for field in deriver.rootFields() where tried.insert(field.name).inserted {
        guard pool.fields.count < OperationPool.fieldLimit else { break }
        let probed = ProbedField(field: field, exchange: try await run("{ \(field.text) }"))
        if let value = probed.value { Self.collect(value, of: field, into: &deriver.identifiers) }
        sort(probed, into: &pool)
      }
    }
    if let list = pool.fields.first(where: { $0.field.isList && $0.field.emptied != nil }),
      let empty = list.field.emptied
    {
      let probed = ProbedField(field: empty, exchange: try await run("{ \(empty.text) }"))
      if probed.value?.kind == .array, probed.value?.count == 0 { pool.emptyLists.append(probed) }
    }
    self.pool = pool
    return pool
  }

  func isSlow(_ probed: ProbedField) -> Bool { probed.exchange.duration > settings.slowDuration }

  private func sort(_ probed: ProbedField, into pool: inout OperationPool) {
    let isEmpty = probed.value.map { $0.isNull || $0.kind == .array && $0.count == 0 } ?? true
    // Errors without path and data may be request errors.
    let hasFailedField = probed.exchange.data != nil || probed.exchange.errors.contains { $0["path"] != nil }
    if !probed.exchange.errors.isEmpty, hasFailedField { pool.failing.append(probed) }
    if probed.exchange.errors.isEmpty, isEmpty, probed.value?.kind == .array { pool.emptyLists.append(probed) }
    if probed.exchange.errors.isEmpty, !isEmpty {
      pool.fields.append(probed)
      if isSlow(probed) { pool.slow.append(probed) }
    }
  }

  /// Stores the first `id` of each object type.
  private static func collect(_ value: JSONValue, of field: DerivedField, into identifiers: inout [String: String]) {
    for item in value.kind == .array ? value.elements : [value] where item.kind == .object {
      let type = item["__typename"]?.string ?? field.type.name
      if let id = item["id"]?.string ?? item["id"]?.numberText, identifiers[type] == nil { identifiers[type] = id }
      for inner in field.fields where !inner.isLeaf {
        if let value = item[inner.name] { collect(value, of: inner, into: &identifiers) }
      }
    }
  }
}
