import CApusJQ

/// A compiled jq filter. Use it only in a child process: an endless filter cannot be stopped safely, and libjq aborts
/// the process when it runs out of memory.
final class JQProgram {
  private let state: OpaquePointer

  /// Collects libjq's error messages for a filter that does not compile.
  private final class Messages {
    var texts: [String] = []
  }

  init(_ filter: String) throws(FilterError) {
    guard let state = jq_init() else {
      throw .noProcess(FilterWorker.libraryFailure ?? "libjq could not be started")
    }
    self.state = state
    let messages = Messages()
    jq_set_error_cb(
      state,
      { context, message in
        guard let context else { return jv_free(message) }
        let text = jq_format_error(message)
        Unmanaged<Messages>.fromOpaque(context).takeUnretainedValue().texts.append(
          String(cString: jv_string_value(text)))
        jv_free(text)
      }, Unmanaged.passUnretained(messages).toOpaque())
    // Neither the user's modules nor modules in the current directory.
    jq_set_attr(state, jv_string("JQ_LIBRARY_PATH"), jv_array())
    let isCompiled = withExtendedLifetime(messages) { jq_compile(state, filter) != 0 }
    jq_set_error_cb(state, { _, message in jv_free(message) }, nil)
    // The deinitializer frees a program that did not compile.
    guard isCompiled else { throw .syntax(Self.reason(messages.texts)) }
  }

  deinit {
    var state: OpaquePointer? = state
    jq_teardown(&state)
  }

  /// Returns the first message, without shell hints and line numbers, which do not apply to a filter of one line.
  static func reason(_ messages: [String]) -> String {
    var text = messages.first?.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? "?"
    for prefix in ["jq: error: ", "error: "] where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
    if let hint = text.firstRange(of: " (Unix shell quoting issues?)") { text.removeSubrange(hint) }
    if let place = text.firstRange(of: " at <top-level>, line ") {
      text = String(text[..<place.lowerBound])
    }
    return text
  }

  /// Passes each result to `emit` as compact JSON text, without copying the input.
  func run(_ input: jv, emit: (UnsafeRawBufferPointer) throws(FilterError) -> Void) throws(FilterError) {
    jq_start(state, jv_copy(input), 0)
    while true {
      let result = jq_next(state)
      guard jv_get_kind(result) != JV_KIND_INVALID else {
        try Self.check(result)
        try checkHalt()
        return
      }
      let text = jv_dump_string(result, 0)
      defer { jv_free(text) }
      let length = Int(jv_string_length_bytes(jv_copy(text)))
      try emit(UnsafeRawBufferPointer(start: jv_string_value(text), count: length))
    }
  }

  private static func check(_ end: jv) throws(FilterError) {
    guard jv_invalid_has_msg(jv_copy(end)) != 0 else { return jv_free(end) }
    throw .failed(text(of: jv_invalid_get_msg(end)))
  }

  /// Throws if the filter ended with `halt_error`; `halt` is a regular end.
  private func checkHalt() throws(FilterError) {
    guard jq_halted(state) != 0 else { return }
    let code = jq_get_exit_code(state)
    defer { jv_free(code) }
    guard jv_get_kind(code) == JV_KIND_NUMBER, jv_number_value(code) != 0 else { return }
    throw .failed(Self.text(of: jq_get_error_message(state)))
  }

  /// Returns the text of an error message of any type. Consumes `message`.
  private static func text(of message: jv) -> String {
    defer { jv_free(message) }
    if jv_get_kind(message) == JV_KIND_STRING { return String(cString: jv_string_value(message)) }
    let text = jv_dump_string(jv_copy(message), 0)
    defer { jv_free(text) }
    return String(cString: jv_string_value(text))
  }
}
