import Foundation

/// Prints a line at once, also into a file or a pipe: whoever waits for a long command sees how far it is.
package func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}
