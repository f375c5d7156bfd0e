import Foundation

/// Prints a line without buffering, so that the progress of a long command is visible even in a file or a pipe.
package func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}
