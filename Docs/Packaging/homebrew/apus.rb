# Docs/Packaging/tarball/build inserts the checksum of the sources.
class Apus < Formula
  desc "GraphQL explorer for the terminal"
  homepage "https://apus.example"
  url "https://apus.example/releases/apus-0.2.0.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on xcode: ["16.3", :build]
  depends_on "curl"
  depends_on "jq"
  depends_on "libmicrohttpd"
  depends_on "libyaml"
  depends_on macos: :sequoia
  depends_on "ncurses"
  depends_on "openssl@3"
  depends_on "simdjson"
  depends_on "sqlite"
  depends_on "utf8proc"
  depends_on "wslay"

  def install
    # The build runs in Homebrew's sandbox, and sandboxes cannot be nested.
    ENV["APUS_BUILD_FLAGS"] = "--disable-sandbox"
    system "./install.sh", "--prefix", prefix
    # Homebrew has its own list of installed files.
    rm pkgshare/"installed-files"
  end

  test do
    (testpath/"a.graphql").write "{ birds { name } }"
    system bin/"apus", "format", "a.graphql"
    assert_match version.to_s, shell_output("#{bin}/apus --version")
  end
end
