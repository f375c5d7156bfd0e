/// The channels that have something new for their readers, who are told once for all that one read of the network brought.
/// Used by one thread at a time.
///
/// No call here overlaps another, so that no access has to be checked while it runs.
final class TransferNews {
  @exclusivity(unchecked) private var channels: [TransferChannel] = []

  func add(_ channel: TransferChannel) {
    if channels.last !== channel { channels.append(channel) }
  }

  func tell() {
    for channel in channels { channel.flush() }
    channels.removeAll(keepingCapacity: true)
  }
}
