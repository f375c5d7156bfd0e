#!/usr/bin/env bash
# Installs Apus from this checkout. `./install.sh --help` describes the commands.
# `Tests/run` sources this file for its functions; only the last line runs a command.
set -euo pipefail

minimum_swift="6.1"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
allows_sudo=""

usage() {
  cat <<'TEXT'
Usage: ./install.sh [install | demo | test | uninstall] [--prefix DIR] [--yes] [--debug-symbols]

  install     install missing system libraries, build Apus and install it (the default)
  demo        install, then open the explorer on the demo API
  test        run every test (the same as 'Tests/run all')
  uninstall   remove every file that install created

  --prefix DIR      the folder to install to: DIR/bin, DIR/share (default: /usr/local for root, else ~/.local)
  --yes             use sudo to install missing system packages; without it and without root, print the command
  --debug-symbols   install the debug symbols next to the program (DIR/bin/.debug/apus.debug)

Environment: DESTDIR is put in front of every installed path, for packagers;
APUS_BUILD_FLAGS has additional flags for 'swift build'.
TEXT
}

say() { printf '%s\n' "$*" >&2; }
fail() { say "${0##*/}: $*"; exit 1; }

# --- System requirements --------------------------------------------------------------------------------------------

# as_root COMMAND...: prints a command and runs it as root. Exits if that is not allowed.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    say "  $*"
    "$@" >&2
  elif [ -n "$allows_sudo" ] && command -v sudo >/dev/null 2>&1; then
    say "  sudo $*"
    sudo "$@" >&2
  else
    say "Installing these packages needs root. Run the command below as root, or allow sudo with --yes:"
    say "  $*"
    exit 1
  fi
}

# install_packages APT DNF PACMAN BREW: installs packages. Each argument is a list of names, separated by spaces.
install_packages() {
  # shellcheck disable=SC2086 # The lists are split on purpose.
  if command -v apt-get >/dev/null 2>&1; then
    # An outdated package list names versions that the archive no longer has.
    if [ "$(id -u)" -eq 0 ] || [ -n "$allows_sudo" ]; then as_root apt-get update -qq; fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $1
  elif command -v dnf >/dev/null 2>&1; then as_root dnf install -y -q $2
  elif command -v pacman >/dev/null 2>&1; then as_root pacman -S --needed --noconfirm $3
  elif command -v brew >/dev/null 2>&1; then
    say "  brew install $4"
    brew install --quiet $4 >&2
  else fail "found no apt-get, dnf, pacman or brew; install these packages yourself: $1"
  fi
}

brew_prefix() { brew --prefix 2>/dev/null || echo /usr/local; }

# missing_libraries: prints the name of each library that is not installed.
missing_libraries() {
  command -v pkg-config >/dev/null 2>&1 || { echo pkg-config; return; }
  local name
  for name in libcrypto libcurl libmicrohttpd libutf8proc ncursesw simdjson sqlite3 yaml-0.1; do
    pkg-config --exists "$name" 2>/dev/null || echo "$name"
  done
  # jq and wslay have no pkg-config file: look for their headers.
  for name in jq.h wslay/wslay.h; do
    echo "#include <$name>" | clang -E -I"$(brew_prefix)/include" - >/dev/null 2>&1 || echo "$name"
  done
}

ensure_libraries() {
  local missing
  missing="$(missing_libraries | tr '\n' ' ')"
  [ -n "$missing" ] || return 0
  say "Missing: $missing"
  install_packages \
    "pkg-config libcurl4-openssl-dev libjq-dev libmicrohttpd-dev libncurses-dev libsimdjson-dev libsqlite3-dev libssl-dev
      libutf8proc-dev libwslay-dev libyaml-dev" \
    "pkgconf-pkg-config libcurl-devel jq-devel libmicrohttpd-devel ncurses-devel simdjson-devel sqlite-devel
      openssl-devel utf8proc-devel wslay-devel libyaml-devel" \
    "pkgconf curl jq libmicrohttpd ncurses simdjson sqlite openssl libutf8proc wslay libyaml" \
    "pkg-config curl jq libmicrohttpd ncurses simdjson sqlite openssl@3 utf8proc wslay libyaml"
}

# ensure_swift VERSION: exits if Swift is missing or older.
ensure_swift() {
  local minimum="$1" version
  command -v swift >/dev/null 2>&1 ||
    fail "cannot find 'swift': install Swift $minimum or newer from swift.org"
  version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)"
  [ "$(printf '%s\n%s\n' "$minimum" "${version:-0}" | sort -V | head -n 1)" = "$minimum" ] ||
    fail "Swift is ${version:-an unknown version}: install Swift $minimum or newer from swift.org"
}

# --- Build, install and uninstall -----------------------------------------------------------------------------------

# build_release: builds the program as it is installed, and sets `binary` to its path. It has its own build folder, so
# that it can run at the same time as another build.
build_release() {
  local flags=(-c release --product apus --explicit-target-dependency-import-check error --disable-index-store)
  flags+=(--scratch-path "$root/.build/install")
  if [ "$(uname -s)" != Darwin ]; then
    # The Swift runtime is part of the program, and no library is searched for next to it. All symbols are resolved at
    # the start, so that the table of their addresses is read-only from then on. No library links to the program, so it
    # exports no symbols and the linker can drop unused functions.
    flags+=(--static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic)
    [ -n "${debug_symbols:-}" ] || flags+=(-Xlinker -s)
  fi
  # shellcheck disable=SC2206 # The flags are split on purpose.
  flags+=(${APUS_BUILD_FLAGS:-})
  say "Building Apus (the first build takes several minutes)…"
  swift build --package-path "$root" "${flags[@]}" >&2
  binary="$(swift build --package-path "$root" "${flags[@]}" --show-bin-path)/apus"
}

# make_folder PATH: creates a folder and its parents, and records those that did not exist.
make_folder() {
  [ ! -d "$destination$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir "$destination$1"
  printf '%s/\n' "$1" >>"$scratch/folders"
}

# put SOURCE PATH MODE: installs a file and records it.
put() {
  make_folder "$(dirname "$2")"
  install -m "$3" "$1" "$destination$2"
  printf '%s\n' "$2" >>"$scratch/files"
}

# put_program: installs the program without its symbols, and the symbols next to it if they were requested.
put_program() {
  local program="$binary"
  if [ -n "$debug_symbols" ]; then
    [ "$(uname -s)" != Darwin ] || fail "--debug-symbols works on Linux only; on macOS the symbols are in ${binary%/*}"
    objcopy --only-keep-debug --compress-debug-sections "$binary" "$scratch/apus.debug"
    program="$scratch/apus"
    objcopy --strip-all --add-gnu-debuglink="$scratch/apus.debug" "$binary" "$program"
    put "$scratch/apus.debug" "$prefix/bin/.debug/apus.debug" 644
  elif [ "$(uname -s)" = Darwin ]; then
    program="$scratch/apus"
    strip -x -o "$program" "$binary"
  fi
  put "$program" "$prefix/bin/apus" 755
}

# put_output PATH ARGUMENT...: installs the output of the program for these arguments.
put_output() {
  local path="$1"
  shift
  "$binary" "$@" >"$scratch/output"
  put "$scratch/output" "$path" 644
}

# put_pages: installs the pages for users, with the JSON Schemas that they link to. Help names them as Docs/PAGE.md.
put_pages() {
  local page
  while IFS= read -r page; do
    put "$root/$page" "$prefix/share/doc/apus/$page" 644
  done < <(
    cd "$root"
    printf '%s\n' LICENSE README.md CHANGELOG.md Docs/Development/AuditCatalog.md
    find Docs \( -path Docs/Decisions -o -path Docs/Development -o -path Docs/Examples -o -path Docs/Packaging \) -prune \
      -o \( -name '*.md' -o -name '*.schema.json' \) -print | LC_ALL=C sort
  )
}

# check_prefix: exits if nothing can be installed to the folder. A build takes minutes, so this comes first.
check_prefix() {
  local folder="$destination$prefix"
  while [ ! -e "$folder" ]; do folder="$(dirname "$folder")"; done
  [ -d "$folder" ] || fail "cannot install to $prefix: $folder is not a folder"
  [ -w "$folder" ] || fail "cannot install to $prefix: you may not write to $folder; choose a folder with --prefix DIR"
}

# say_zsh_line: prints the line that zsh needs for its completions, unless it looks in the folder already.
say_zsh_line() {
  local folder="$prefix/share/zsh/site-functions"
  command -v zsh >/dev/null 2>&1 || return 0
  case " $(zsh -c 'print -r -- $fpath' 2>/dev/null) " in *" $folder "*) return 0 ;; esac
  say "For completions in zsh, add this line to ~/.zshrc, before 'compinit': fpath=('$folder' \$fpath)"
}

install_apus() {
  check_prefix
  ensure_swift "$minimum_swift"
  ensure_libraries
  local binary scratch theme
  build_release
  scratch="$(mktemp -d)"
  : >"$scratch/folders"
  [ -z "$destination" ] || mkdir -p "$destination"
  # Folders that an earlier installation created are still removed by uninstall.
  if [ -f "$manifest" ]; then grep '/$' "$manifest" >"$scratch/folders" || true; fi
  put_program
  put_pages
  for theme in "$root"/Themes/*; do
    put "$theme" "$prefix/share/apus/themes/$(basename "$theme")" 644
  done
  put_output "$prefix/share/man/man1/apus.1" help --manual
  put_output "$prefix/share/bash-completion/completions/apus" completions bash
  put_output "$prefix/share/zsh/site-functions/_apus" completions zsh
  put_output "$prefix/share/fish/vendor_completions.d/apus.fish" completions fish
  # The order in which they are removed: files, then folders, innermost first.
  { cat "$scratch/files"; LC_ALL=C sort -ru "$scratch/folders"; } >"$manifest.new"
  mv "$manifest.new" "$manifest"
  rm -r "$scratch"
  say "Installed $("$binary" --version) in $destination$prefix/bin."
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "Add it to your path: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  say_zsh_line
}

uninstall_apus() {
  [ -f "$manifest" ] || { say "Nothing to uninstall in $destination$prefix."; return 0; }
  local paths path
  paths="$(cat "$manifest")"
  # The paths of a folder that was moved are those of its old place.
  if [[ $'\n'"$paths" != *$'\n'"$prefix/"* ]]; then
    path="$(head -n 1 <<<"$paths")"
    fail "removed nothing: $manifest lists files elsewhere, such as $path; move the folder back and uninstall it there"
  fi
  rm -f "$manifest"
  # Only recorded paths are removed. A folder that contains other files is kept.
  while IFS= read -r path; do
    case "$path" in
      "$prefix"/*[!/] | "$prefix"/?) rm -f "$destination$path" ;;
      /*/) rmdir "$destination${path%/}" 2>/dev/null || true ;;
    esac
  done <<<"$paths"
  say "Uninstalled Apus from $destination$prefix."
}

main() {
  local command="install"
  debug_symbols=""
  if [ "$(id -u)" -eq 0 ]; then prefix="/usr/local"; else prefix="${HOME:?}/.local"; fi
  while [ $# -gt 0 ]; do
    case "$1" in
      install | demo | test | uninstall) command="$1" ;;
      --prefix) [ $# -ge 2 ] || fail "--prefix needs a folder"; prefix="$2"; shift ;;
      --prefix=*) prefix="${1#--prefix=}" ;;
      --yes | -y) allows_sudo=yes ;;
      --debug-symbols) debug_symbols=yes ;;
      -h | --help) usage; exit 0 ;;
      *) usage >&2; fail "unknown argument '$1'" ;;
    esac
    shift
  done
  # A shell does not expand the ~ in --prefix=~/DIR.
  case "$prefix" in
    '') fail "--prefix needs a folder" ;;
    /*) ;;
    \~ | \~/*) prefix="${HOME:?}${prefix#\~}" ;;
    *) prefix="$PWD/$prefix" ;;
  esac
  while [[ $prefix == ?*/ ]]; do prefix="${prefix%/}"; done
  destination="${DESTDIR:-}"
  manifest="$destination$prefix/share/apus/installed-files"
  case "$command" in
    install) install_apus ;;
    demo)
      { [ -t 0 ] && [ -t 1 ]; } || fail "demo opens a full-screen program and needs a terminal; './install.sh' only installs"
      install_apus
      exec "$prefix/bin/apus" demo
      ;;
    test) exec "$root/Tests/run" ${allows_sudo:+--yes} all ;;
    uninstall) uninstall_apus ;;
  esac
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then main "$@"; fi
