import ApusSecrets

/// The profiles of `config.yml` with their `extends: NAME`: a profile takes everything of the named one that it does
/// not set itself.
///
///     birds: {url: "https://birds.example/graphql", headers: {Authorization: $TOKEN, X-Team: birds}}
///     staging: {extends: birds, url: "https://staging.example/graphql", headers: {x-team: staging}}
///
/// `staging` has the header `Authorization` of `birds` and its own `x-team`.
///
/// `headers`, `environment`, `connection-payload` and `auth` are taken by member. `auth` of another type takes nothing.
///
/// A profile is completed once, however many extend it. The depth and the number of members that are taken have limits, so that a
/// short file does not become a large one.
struct ProfileInheritance {
  private static let maximumDepth = 32
  private static let maximumTakenMembers = 100_000

  private let members: [String: YAMLNode.Member]
  /// The names of the profiles, in the order of the file.
  private let names: [String]
  private var completed: [String: Resolved] = [:]
  private var takenCount = 0

  init(_ members: [YAMLNode.Member]) {
    self.members = Dictionary(members.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    names = members.map(\.key)
  }

  /// A profile with everything that it takes from others.
  struct Resolved {
    var node: YAMLNode
    /// The profile that defines the sign-in, which all profiles that extend it share.
    var signInOwner: String?
  }

  mutating func resolved(_ member: YAMLNode.Member) throws(ConfigurationError) -> Resolved {
    try resolved(member, after: [])
  }

  private mutating func resolved(
    _ member: YAMLNode.Member, after names: [String]
  ) throws(ConfigurationError) -> Resolved {
    if let resolved = completed[member.key] { return resolved }
    let node = member.value
    guard let base = node["extends"] else {
      return Resolved(node: node, signInOwner: node["auth"].map { _ in member.key })
    }
    let inherited = try resolved(try parent(of: member, base, after: names), after: names + [member.key])
    takenCount += inherited.node.takenMemberCount
    guard takenCount <= Self.maximumTakenMembers else {
      throw base.error("the profiles take more than \(Self.maximumTakenMembers) members from each other")
    }
    let resolved = Resolved(
      node: node.completed(by: inherited.node),
      signInOwner: inherited.signInOwner.flatMap { node.sharesSignIn(with: inherited.node) ? $0 : nil }
        ?? node["auth"].map { _ in member.key })
    completed[member.key] = resolved
    return resolved
  }

  /// Returns the profile that another one extends.
  private func parent(
    of member: YAMLNode.Member, _ base: YAMLNode, after names: [String]
  ) throws(ConfigurationError) -> YAMLNode.Member {
    let name = try base.string("extends")
    let chain = names + [member.key]
    if let start = chain.firstIndex(of: name) {
      let cycle = (chain[start...] + [name]).map(printable).joined(separator: " → ")
      throw base.error("the profiles extend each other: \(cycle)")
    }
    guard let parent = members[name] else {
      let others = self.names.lazy.filter { $0 != member.key }.prefix(20).map(printable).joined(separator: ", ")
      throw base.error("there is no profile '\(printable(name))' to extend; the others are \(others)")
    }
    guard chain.count < Self.maximumDepth else {
      throw base.error("more than \(Self.maximumDepth) profiles extend one another")
    }
    return parent
  }
}

extension YAMLNode {
  private static let mergedKeys = ["headers", "environment", "connection-payload", "auth"]

  /// Whether `auth` is the one of another profile, possibly with changed members.
  fileprivate func sharesSignIn(with base: YAMLNode) -> Bool {
    guard let own = self["auth"] else { return !sets("auth") }
    return own.takesMembers(of: base["auth"])
  }

  /// The number of members that an empty profile takes from this one.
  fileprivate var takenMemberCount: Int {
    profileMembers.reduce(0) { count, member in
      guard Self.mergedKeys.contains(member.key), case .mapping(let inner) = member.value.value else {
        return count + 1
      }
      return count + 1 + inner.count
    }
  }

  private func takesMembers(of base: YAMLNode?) -> Bool {
    guard let type = self["type"] else { return true }
    return type.plainText == base?["type"]?.plainText
  }

  private var plainText: String? { if case .scalar(let text, _) = value { text } else { nil } }

  /// Whether the mapping has a key. A null counts: `auth:` without a value removes an inherited one.
  private func sets(_ key: String) -> Bool {
    guard case .mapping(let members) = value else { return false }
    return members.contains { $0.key == key }
  }

  /// Takes the members that this profile does not set from another one.
  fileprivate func completed(by base: YAMLNode) -> YAMLNode {
    guard case .mapping(var members) = value else { return self }
    members.removeAll { $0.key == "extends" }
    for member in base.profileMembers where member.key != "extends" {
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      guard Self.mergedKeys.contains(member.key), !members[index].value.isNull else { continue }
      if member.key == "auth", !members[index].value.takesMembers(of: member.value) { continue }
      members[index] = Member(
        key: member.key, keyPosition: members[index].keyPosition,
        value: members[index].value.merged(over: member.value, ignoringCase: member.key == "headers"))
    }
    return YAMLNode(value: .mapping(members), position: position, file: file)
  }

  /// The members of a profile, also of one in the form `name: URL`.
  private var profileMembers: [Member] {
    switch value {
    case .mapping(let members): members
    case .scalar, .sequence: [Member(key: "url", keyPosition: position, value: self)]
    }
  }

  private func merged(over base: YAMLNode, ignoringCase: Bool) -> YAMLNode {
    guard case .mapping(let own) = value, case .mapping(let inherited) = base.value else { return self }
    func name(_ member: Member) -> String { ignoringCase ? member.key.lowercased() : member.key }
    let names = Set(own.map(name))
    return YAMLNode(
      value: .mapping(inherited.filter { !names.contains(name($0)) } + own), position: position, file: file)
  }
}
