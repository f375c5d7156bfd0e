/// The names of curl's options.
///
/// Source: curl's manual page, to version 8.17.
package enum CurlOptionNames {
  /// Returns the long name of an option, such as `--header` for `-H`; the name itself if it has none.
  package static func long(_ name: String) -> String { longNames[name] ?? name }

  static func takesValue(_ name: String) -> Bool {
    takingValues.contains(name) || harmlessWithValues.contains(name) || name.hasPrefix("--expand-")
  }

  /// Whether an option does not change the request: it concerns curl's output or the connection, or Apus always does
  /// so.
  static func isHarmless(_ name: String) -> Bool { harmless.contains(name) || harmlessWithValues.contains(name) }

  /// Whether curl has the option.
  static func isDefined(_ name: String) -> Bool {
    takesValue(name) || isHarmless(name) || advice[name] != nil || otherSwitches.contains(name)
      || longNames.values.contains(name)
  }

  /// Returns the message about an option without its value, which may be a secret.
  static func message(_ written: String, _ reason: String? = nil) -> String {
    let name = long(written)
    let isOfProxy = name.hasPrefix("--proxy") || name.hasPrefix("--socks")
    let reason =
      reason ?? advice[name] ?? (isOfProxy ? advice["--proxy"] : nil)
      ?? "Apus has no such option; remove it if the request works without it"
    return "curl option \(written) was not imported: \(reason)"
  }

  private static let advice: [String: String] = {
    let authentication = "only basic authentication and bearer tokens are supported; add the Authorization header"
    var advice = [
      "--insecure": "pass --insecure to Apus", "--proxy": "pass --proxy to Apus", "--preproxy": "pass --proxy to Apus",
      "--cacert": "pass --cacert to Apus", "--capath": "pass --cacert to Apus",
      "--cert": "pass --cert and --key to Apus", "--key": "pass --cert and --key to Apus",
      "--max-time": "pass --timeout to Apus", "--connect-timeout": "pass --connect-timeout to Apus",
      "--netrc": "pass --netrc to Apus", "--netrc-optional": "pass --netrc to Apus",
      "--netrc-file": "pass --netrc-file to Apus", "--cookie-jar": "pass --cookie-jar to Apus",
      "--cookie": "it names a file with cookies; pass --cookie-jar to Apus",
      "--unix-socket": "pass --unix-socket to Apus", "--http3": "pass --http3 to Apus",
      "--http3-only": "pass --http3 to Apus", "--max-filesize": "pass --max-megabytes to Apus",
      "--location-trusted": "pass --redirect-anywhere to Apus",
      "--config": "add the options in that file to the command", "--upload-file": "use --data-binary @FILE instead",
      "--variable": "write its value in the command", "--url": "a command has one URL; split the command",
    ]
    for name in ["--retry", "--retry-delay", "--retry-max-time", "--retry-all-errors", "--retry-connrefused"] {
      advice[name] = "pass --retry to Apus"
    }
    for name in ["--digest", "--ntlm", "--ntlm-wb", "--negotiate", "--anyauth", "--aws-sigv4", "--krb", "--delegation"]
    {
      advice[name] = authentication
    }
    return advice
  }()

  private static let longNames = [
    "-X": "--request", "-H": "--header", "-d": "--data", "-u": "--user", "-G": "--get", "-F": "--form",
    "-b": "--cookie", "-A": "--user-agent", "-e": "--referer", "-I": "--head", "-o": "--output", "-m": "--max-time",
    "-x": "--proxy", "-E": "--cert", "-w": "--write-out", "-c": "--cookie-jar", "-K": "--config", "-T": "--upload-file",
    "-U": "--proxy-user", "-r": "--range", "-y": "--speed-time", "-Y": "--speed-limit", "-z": "--time-cond",
    "-C": "--continue-at", "-D": "--dump-header", "-h": "--help", "-Q": "--quote", "-t": "--telnet-option",
    "-P": "--ftp-port", "-s": "--silent", "-S": "--show-error", "-v": "--verbose", "-i": "--include", "-f": "--fail",
    "-N": "--no-buffer", "-L": "--location", "-#": "--progress-bar", "-k": "--insecure", "-n": "--netrc",
    "-O": "--remote-name", "-J": "--remote-header-name", "-R": "--remote-time", "-Z": "--parallel", "-q": "--disable",
    "-g": "--globoff", "-4": "--ipv4", "-6": "--ipv6", "-0": "--http1.0", "-1": "--tlsv1", "-2": "--sslv2",
    "-3": "--sslv3", "-j": "--junk-session-cookies", "-l": "--list-only", "-B": "--use-ascii", "-a": "--append",
    "-M": "--manual", "-V": "--version", "-p": "--proxytunnel",
  ]

  private static let harmless: Set<String> = [
    "--compressed", "--silent", "--show-error", "--verbose", "--include", "--fail", "--fail-with-body", "--fail-early",
    "--no-buffer", "--location", "--progress-bar", "--no-progress-meter", "--http1.1", "--http2",
    "--http2-prior-knowledge", "--tr-encoding", "--globoff", "--remote-name", "--remote-name-all",
    "--remote-header-name", "--remote-time", "--parallel", "--parallel-immediate", "--disable", "--basic",
    "--no-keepalive", "--no-clobber", "--create-dirs", "--trace-time", "--trace-ids", "--styled-output", "--raw",
    "--path-as-is", "--no-sessionid", "--no-alpn", "--no-npn", "--tcp-nodelay", "--tcp-fastopen", "--tlsv1",
    "--tlsv1.0", "--tlsv1.1", "--tlsv1.2", "--tlsv1.3", "--ssl", "--ssl-reqd", "--form-escape",
    "--suppress-connect-headers",
    "--xattr", "--post301", "--post302", "--post303", "--junk-session-cookies",
  ]

  private static let harmlessWithValues: Set<String> = [
    "--output", "--output-dir", "--write-out", "--dump-header", "--stderr", "--trace", "--trace-ascii",
    "--trace-config", "--libcurl", "--keepalive-time", "--keepalive-cnt", "--parallel-max", "--parallel-max-host",
    "--max-redirs", "--create-file-mode", "--expect100-timeout", "--happy-eyeballs-timeout-ms",
  ]

  private static let otherSwitches: Set<String> = ["--get", "--head", "--next"]

  private static let takingValues: Set<String> = [
    "--url", "--request", "--header", "--user-agent", "--referer", "--oauth2-bearer", "--user", "--cookie", "--data",
    "--data-ascii", "--data-binary", "--json", "--data-raw", "--data-urlencode", "--url-query", "--form",
    "--form-string", "--max-time", "--connect-timeout", "--proxy", "--cacert", "--capath", "--cert", "--cert-type",
    "--key", "--key-type", "--pass", "--cookie-jar", "--config", "--upload-file", "--proxy-user", "--range",
    "--speed-time", "--speed-limit", "--time-cond", "--continue-at", "--quote", "--telnet-option", "--ftp-port",
    "--retry", "--retry-delay", "--retry-max-time", "--resolve", "--connect-to", "--interface", "--unix-socket",
    "--abstract-unix-socket", "--noproxy", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname",
    "--socks5-gssapi-service", "--ciphers", "--curves", "--sigalgs", "--tls-max", "--tls13-ciphers", "--tlsauthtype",
    "--tlspassword", "--tlsuser", "--netrc-file", "--limit-rate", "--max-filesize", "--aws-sigv4", "--local-port",
    "--dns-servers", "--dns-interface", "--dns-ipv4-addr", "--dns-ipv6-addr", "--doh-url", "--proto",
    "--proto-default", "--proto-redir", "--variable", "--pinnedpubkey", "--pubkey", "--alt-svc", "--hsts",
    "--request-target", "--rate", "--crlfile", "--delegation", "--ech", "--egd-file", "--engine", "--etag-compare",
    "--etag-save", "--ftp-account", "--ftp-alternative-to-user", "--ftp-method", "--ftp-ssl-ccc-mode",
    "--haproxy-clientip", "--hostpubmd5", "--hostpubsha256", "--ip-tos", "--ipfs-gateway", "--knownhosts", "--krb",
    "--login-options", "--mail-auth", "--mail-from", "--mail-rcpt", "--proxy-cacert", "--proxy-capath", "--proxy-cert",
    "--proxy-cert-type", "--proxy-ciphers", "--proxy-crlfile", "--proxy-header", "--proxy-key", "--proxy-key-type",
    "--proxy-pass", "--proxy-pinnedpubkey", "--proxy-service-name", "--proxy-tls13-ciphers", "--proxy-tlsauthtype",
    "--proxy-tlspassword", "--proxy-tlsuser", "--proxy1.0", "--random-file", "--sasl-authzid", "--service-name",
    "--tftp-blksize", "--upload-flags", "--vlan-priority",
  ]
}
