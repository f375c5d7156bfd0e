/// A typed command.
enum Command: Equatable {
  case nothing, help, list, more, traffic, quit
  /// A bird by its number in the list, from 1.
  case open(Int)
  case rename(Int, to: String)
  case unknown(String)

  init(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case (nil, _): self = .nothing
    case ("help", 1): self = .help
    case ("list", 1): self = .list
    case ("more", 1): self = .more
    case ("traffic", 1): self = .traffic
    case ("quit", 1): self = .quit
    case ("open", 2): self = Int(words[1]).map { .open($0) } ?? .unknown(line)
    case ("rename", 3): self = Int(words[1]).map { .rename($0, to: words[2]) } ?? .unknown(line)
    default: self = .unknown(line)
    }
  }

  static let explanation = """
    list             the birds that were loaded
    more             the next page
    open N           a bird, by its number in the list
    rename N NAME    gives a bird another name
    traffic          requests over the network and cache hits
    quit             ends the program
    """
}
