import ApusAlgorithms

/// A name in a configuration file that does not exist, and the name that was probably meant.
package enum MisspelledName {
  /// Returns `; did you mean theme?`; nil if no valid name is similar: with at most two edits, or one
  /// per four characters, and fewer than the name has characters.
  package static func hint(_ wrong: String, _ valid: [String]) -> String? {
    let distance = EditDistance(wrong)
    let threshold = min(max(2, wrong.count / 4), wrong.count - 1)
    let near = valid.compactMap { name in
      distance.measure(name, threshold).map { (name: name, distance: $0) }
    }
    return near.min { $0.distance < $1.distance }.map { "; did you mean \($0.name)?" }
  }
}
