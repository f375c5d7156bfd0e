// The system's C library, whichever it is: this is the one file that names it. Everything else imports ApusPlatform, and a
// test of the house holds that. What has another shape on another system stands in the other files of this module.

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Glibc)
  @_exported import Glibc
#else
  #error("Apus knows the C libraries of macOS and of Linux (glibc and musl), and no other")
#endif
