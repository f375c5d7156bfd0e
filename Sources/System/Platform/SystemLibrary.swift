// The C library of the system. This is the only file that imports it; everything else imports ApusPlatform, and an
// architecture test checks that. The other files of this module hide differences between systems.

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Glibc)
  @_exported import Glibc
#else
  #error("Apus supports only the C libraries of macOS and Linux (glibc and musl)")
#endif
