/// Collects the channels with new events, to notify their readers once per read of the network. Used by one thread at a
/// time.
///
/// Calls cannot overlap, so accesses are not checked.
final class ChannelNotifier {
  @exclusivity(unchecked) private var channels: [TransferChannel] = []
  /// Whether a transfer must be paused before readers are notified.
  var mustPause = false

  func add(_ channel: TransferChannel) {
    if channels.last !== channel { channels.append(channel) }
  }

  func flush() {
    for channel in channels { channel.flush() }
    channels.removeAll(keepingCapacity: true)
  }
}
