import CApusNCurses
import Dispatch
import Foundation
import Testing

/// The handler that restores the terminal after a crash cannot run on an overflown stack, so every thread has another
/// one.
@Suite(.timeLimit(.minutes(10))) struct CrashTests {
  private static var canTakeACrash: Bool {
    var stack = stack_t()
    return sigaltstack(nil, &stack) == 0 && Int(stack.ss_flags) & Int(SS_DISABLE) == 0 && stack.ss_size >= 16384
  }

  @Test func `every thread has a signal stack`() async {
    #expect(Self.canTakeACrash, "a thread of tasks")
    let queued = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Self.canTakeACrash) }
    }
    #expect(queued, "a thread of a queue")
    let own = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.canTakeACrash) }
    }
    #expect(own, "a separate thread")
  }
}
