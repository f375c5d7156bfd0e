#!/usr/bin/env bash
# Sets Apus up from this checkout, in one command. See `./install.sh --help`.
set -euo pipefail

minimum_swift="6.1"
# Names of tests are sentences, which 6.1 cannot read.
minimum_swift_for_tests="6.2"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

usage() {
  cat <<'TEXT'
Usage: ./install.sh [install | demo | test | uninstall] [--prefix DIR] [--yes] [--debug-symbols]

  install     install the missing system libraries, build Apus and install it (the default)
  demo        install, then open the explorer on the demo API
  test        install what testing needs, check the style, build without warnings, run every test, and hit the
              program as it is installed with thousands of runs
  uninstall   remove every file that install put in place

  --prefix DIR      where to install: DIR/bin, DIR/share (default: /usr/local for root, else ~/.local)
  --yes             install missing system packages by sudo too; without it and without root, the command is printed
  --debug-symbols   put the program's debug symbols beside it (DIR/bin/.debug/apus.debug)

DESTDIR in the environment is a folder that stands before every path that is written, as packagers use it;
APUS_BUILD_FLAGS are further flags for 'swift build'.
TEXT
}

say() { printf '%s\n' "$*" >&2; }
fail() { say "install.sh: $*"; exit 1; }

command="install"
allows_sudo=""
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
case "$prefix" in /*) ;; *) prefix="$PWD/$prefix" ;; esac
destination="${DESTDIR:-}"
manifest="$destination$prefix/share/apus/installed-files"

# --- What the system must offer -------------------------------------------------------------------------------------

# as_root COMMAND...: says what it is about to do, and does it. Without root, and without leave to use sudo, it ends.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    say "  $*"
    "$@" >&2
  elif [ -n "$allows_sudo" ] && command -v sudo >/dev/null 2>&1; then
    say "  sudo $*"
    sudo "$@" >&2
  else
    say "These packages need root to install. Run this as root, or let it be done with --yes:"
    say "  $*"
    exit 1
  fi
}

# install_packages APT DNF PACMAN BREW: each a list of package names in one word list.
install_packages() {
  # shellcheck disable=SC2086 # the lists are meant to be split
  if command -v apt-get >/dev/null 2>&1; then
    # A list of packages that is old names versions that are gone.
    if [ "$(id -u)" -eq 0 ] || [ -n "$allows_sudo" ]; then as_root apt-get update -qq; fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $1
  elif command -v dnf >/dev/null 2>&1; then as_root dnf install -y -q $2
  elif command -v pacman >/dev/null 2>&1; then as_root pacman -S --needed --noconfirm $3
  elif command -v brew >/dev/null 2>&1; then
    say "  brew install $4"
    brew install --quiet $4 >&2
  else fail "no apt-get, dnf, pacman or brew here; install these libraries yourself: $1"
  fi
}

brew_prefix() { brew --prefix 2>/dev/null || echo /usr/local; }

missing_libraries() {
  command -v pkg-config >/dev/null 2>&1 || { echo pkg-config; return; }
  local name
  for name in libcrypto libcurl libmicrohttpd libutf8proc ncursesw simdjson sqlite3 yaml-0.1; do
    pkg-config --exists "$name" 2>/dev/null || echo "$name"
  done
  # These two tell pkg-config nothing: their headers are looked for.
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

ensure_swift() {
  local minimum="$1" version
  command -v swift >/dev/null 2>&1 ||
    fail "Swift $minimum or newer is needed and 'swift' was not found; install it from swift.org and try again"
  version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)"
  [ "$(printf '%s\n%s\n' "$minimum" "${version:-0}" | sort -V | head -n 1)" = "$minimum" ] ||
    fail "Swift $minimum or newer is needed, this is ${version:-an unknown version}; install a newer one from swift.org"
}

# --- Install and uninstall ------------------------------------------------------------------------------------------

# Whether a program that is linked with these options starts here. The toolchain's lld has what gold has not; glibc knows
# packed relocations (DT_RELR) from 2.36 on.
links_with() {
  local folder status=0
  folder="$(mktemp -d)"
  echo 'print("apus")' >"$folder/main.swift"
  { swiftc "$@" "$folder/main.swift" -o "$folder/main" && "$folder/main"; } >/dev/null 2>&1 || status=1
  rm -rf "$folder"
  return "$status"
}

# lean_linking: the options, one a line, that leave out of the program what it does not need to run.
lean_linking() {
  local script="$root/.build/install/no-unwinding.ld" options
  # A million bytes say where addresses are to be put in; packed they are ten thousand, and read sooner.
  options=(-use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
  links_with "${options[@]}" || return 0
  printf '%s\n' "${options[@]}"
  # Three million say how each function's frame is unwound for an exception of C++, of which there are none here. Swift's
  # own crash reports follow frame pointers; debuggers want the tables.
  [ -z "$debug_symbols" ] || return 0
  mkdir -p "${script%/*}"
  echo 'SECTIONS { /DISCARD/ : { *(.eh_frame) } } INSERT AFTER .text;' >"$script"
  if links_with "${options[@]}" -Xlinker "$script"; then printf '%s\n' -Xlinker "$script"; fi
}

# The program as it is installed, in a folder of its own: it can be built beside another build.
build_release() {
  local option flags=(-c release --product apus --explicit-target-dependency-import-check error --disable-index-store)
  flags+=(--scratch-path "$root/.build/install")
  # Libraries are the system's, none beside the program, and each function's address is found and sealed at the start.
  [ "$(uname -s)" = Darwin ] ||
    flags+=(--static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now)
  # Nobody links to a program: what it does not use itself need not be in it.
  [ "$(uname -s)" = Darwin ] || flags+=(-Xlinker --no-export-dynamic)
  if [ "$(uname -s)" != Darwin ]; then
    while IFS= read -r option; do
      # SwiftPM hands the choice of a linker on by its compiler.
      case "$option" in -use-ld=*) flags+=(-Xswiftc) ;; esac
      flags+=("$option")
    done < <(lean_linking)
  fi
  # Symbols are more than half of the program, and it runs without them.
  [ -n "$debug_symbols" ] || [ "$(uname -s)" = Darwin ] || flags+=(-Xlinker -s)
  # shellcheck disable=SC2206 # the flags are meant to be split
  flags+=(${APUS_BUILD_FLAGS:-})
  # Package.swift says how far each module of the program is optimized, where it finds this.
  local -x APUS_BUILDS_PROGRAM=yes
  say "Building Apus (a few minutes the first time)…"
  swift build --package-path "$root" "${flags[@]}" >&2
  binary="$(swift build --package-path "$root" "${flags[@]}" --show-bin-path)/apus"
}

# make_folder PATH: makes it with all above it, and notes those that were not there.
make_folder() {
  [ ! -d "$destination$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir "$destination$1"
  printf '%s/\n' "$1" >>"$scratch/folders"
}

# put SOURCE PATH MODE: installs a file and notes it.
put() {
  make_folder "$(dirname "$2")"
  install -m "$3" "$1" "$destination$2"
  printf '%s\n' "$2" >>"$scratch/files"
}

# put_program: the program without its symbols, and with them beside it where they are asked for.
put_program() {
  local program="$binary"
  if [ -n "$debug_symbols" ]; then
    [ "$(uname -s)" != Darwin ] || fail "--debug-symbols is for Linux; here they stay in ${binary%/*}"
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

install_apus() {
  ensure_swift "$minimum_swift"
  ensure_libraries
  local binary scratch theme
  build_release
  scratch="$(mktemp -d)"
  : >"$scratch/folders"
  # Folders that an earlier run made are ours to take away, too.
  [ -z "$destination" ] || mkdir -p "$destination"
  if [ -f "$manifest" ]; then grep '/$' "$manifest" >"$scratch/folders" || true; fi
  put_program
  put "$root/LICENSE" "$prefix/share/doc/apus/LICENSE" 644
  for theme in "$root"/Themes/*; do
    put "$theme" "$prefix/share/apus/themes/$(basename "$theme")" 644
  done
  "$binary" help --manual >"$scratch/apus.1"
  put "$scratch/apus.1" "$prefix/share/man/man1/apus.1" 644
  "$binary" completions bash >"$scratch/completion"
  put "$scratch/completion" "$prefix/share/bash-completion/completions/apus" 644
  "$binary" completions zsh >"$scratch/completion"
  put "$scratch/completion" "$prefix/share/zsh/site-functions/_apus" 644
  "$binary" completions fish >"$scratch/completion"
  put "$scratch/completion" "$prefix/share/fish/vendor_completions.d/apus.fish" 644
  # Files first, then the folders, innermost first.
  { cat "$scratch/files"; LC_ALL=C sort -ru "$scratch/folders"; } >"$manifest.new"
  mv "$manifest.new" "$manifest"
  rm -r "$scratch"
  say "Installed $("$binary" --version) in $destination$prefix/bin."
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "Add it to your path: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

uninstall_apus() {
  [ -f "$manifest" ] || { say "Nothing to uninstall in $destination$prefix."; return 0; }
  local paths path
  paths="$(cat "$manifest")"
  rm -f "$manifest"
  # Only what install noted: a folder that holds something else by now stays.
  while IFS= read -r path; do
    case "$path" in
      "$prefix"/*[!/] | "$prefix"/?) rm -f "$destination$path" ;;
      /*/) rmdir "$destination${path%/}" 2>/dev/null || true ;;
    esac
  done <<<"$paths"
  say "Uninstalled Apus from $destination$prefix."
}

# --- Test -----------------------------------------------------------------------------------------------------------

ensure_test_tools() {
  if ! command -v tmux >/dev/null 2>&1 || ! command -v shellcheck >/dev/null 2>&1 ||
    ! command -v zsh >/dev/null 2>&1 || ! command -v fish >/dev/null 2>&1 ||
    ! command -v nvim >/dev/null 2>&1 || ! has_eglot || ! python3 -m venv --help >/dev/null 2>&1 ||
    ! python3 -c 'import ensurepip' >/dev/null 2>&1; then
    say "Missing of what testing needs: tmux, shellcheck, python3, zsh, fish, Neovim or Emacs with eglot"
    install_packages "tmux shellcheck python3 python3-venv zsh fish neovim emacs-nox elpa-eglot" \
      "tmux ShellCheck python3 zsh fish neovim emacs-nox" "tmux shellcheck python zsh fish neovim emacs-nox" \
      "tmux shellcheck python zsh fish neovim emacs"
  fi
}

# has_eglot: whether Emacs is here with its client of language servers, which comes along from Emacs 29 on.
has_eglot() {
  local places='(let ((default-directory "/usr/share/emacs/site-lisp/elpa/"))
    (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))'
  emacs -Q --batch --eval "$places" --eval "(require 'eglot)" >/dev/null 2>&1
}

# ensure_servers NAME: a Python environment in .test-servers/NAME with what requirements-NAME.txt asks for.
ensure_servers() {
  local environment="$root/.test-servers/$1" requirements="$root/Tests/Servers/requirements-$1.txt"
  if ! cmp -s "$requirements" "$environment/requirements.txt"; then
    say "Installing the test servers: $1"
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$environment/requirements.txt"
  fi
}

# What they need besides the system's packages, which are there by now.
ensure_all_servers() {
  ensure_servers format-a
  ensure_servers current
  ensure_servers reference
  ensure_servers editors
  ensure_reference_record
  ensure_go_server
}

# Servers in other languages, of libraries that Debian has. Elsewhere their tests are skipped and say so.
ensure_server_packages() {
  command -v apt-get >/dev/null 2>&1 || return 0
  local name missing=""
  for name in node-graphql nodejs ruby ruby-graphql ruby-webrick golang-go golang-github-graph-gophers-graphql-go-dev; do
    dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed ||
      ! apt-cache show "$name" >/dev/null 2>&1 || missing+=" $name"
  done
  if [ -n "$missing" ]; then
    say "Missing of the test servers:$missing"
    install_packages "$missing" "" "" ""
  fi
}

ensure_go_server() {
  local source="$root/Tests/Servers/graph_gophers_server.go" folder="$root/.test-servers/graph-gophers"
  if [ -d /usr/share/gocode/src/github.com/graph-gophers/graphql-go ] && command -v go >/dev/null 2>&1 &&
    [ ! "$folder/server" -nt "$source" ]; then
    say "Building the test server in Go"
    mkdir -p "$folder"
    GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$folder/cache" go build -o "$folder/server" "$source"
  fi
}

# The reference implementation's own tests, as its source distribution carries them, run once for what they ask and
# what it answers. Only the comparison reads them; without them it is skipped and says so.
ensure_reference_record() {
  local folder="$root/.test-servers/reference"
  [ ! -f "$folder/record.jsonl" ] || return 0
  say "Recording what the reference implementation answers to its own tests"
  rm -rf "$folder/source" "$folder/download"
  "$folder/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary graphql-core \
    -d "$folder/download" "$(grep '^graphql-core==' "$folder/requirements.txt")"
  mkdir "$folder/source"
  tar -xzf "$folder/download"/*.tar.gz -C "$folder/source" --strip-components=1
  (cd "$folder/source" &&
    APUS_RECORD="$folder/record.part" PYTHONPATH="$root/Tests/Servers" "$folder/bin/python" -m pytest -q --no-header \
      -c /dev/null --rootdir . -p reference_recorder -p no:cacheprovider -W ignore tests/validation tests/language \
      tests/type/test_validation.py tests/utilities/test_build_ast_schema.py tests/utilities/test_extend_schema.py >&2)
  mv "$folder/record.part" "$folder/record.jsonl"
}

# --- Where the time goes: what is done, one after the other or aside, and how long it took -----------------------------

times=()
logs=""

# phase NAME COMMAND...: runs it and notes how long it took.
phase() {
  local name="$1" begin=$SECONDS
  shift
  say "== $name"
  "$@"
  times+=("$(printf '%5d s  %s' $((SECONDS - begin)) "$name")")
}

# aside NAME COMMAND...: begins it beside what follows; what it prints is shown when it is waited for.
aside() {
  local name="$1"
  shift
  (
    begin=$SECONDS
    # shellcheck disable=SC2064 # the names are known now
    trap "echo \$((SECONDS - $begin)) >'$logs/$name.time'" EXIT
    "$@"
  ) >"$logs/$name.log" 2>&1 &
  echo $! >"$logs/$name.process"
}

# await NAME [LINES]: waits for what was begun aside, and shows the last lines of what it printed; all if it failed.
await() {
  local code=0
  wait "$(cat "$logs/$1.process")" || code=$?
  say "== $1 (aside)"
  if [ "$code" -ne 0 ]; then
    cat "$logs/$1.log" >&2
    fail "$1 failed"
  fi
  tail -n "${2:-1}" "$logs/$1.log" >&2
  times+=("$(printf '%5d s  %s, aside' "$(cat "$logs/$1.time")" "$1")")
}

# digest PATH...: tells whether anything in these places, or the compiler, is another than before.
digest() {
  local sum="shasum -a 256"
  if command -v sha256sum >/dev/null 2>&1; then sum="sha256sum"; fi
  # shellcheck disable=SC2086 # the command is meant to be split
  {
    swift --version 2>/dev/null
    find "$@" -name .build -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 $sum
  } | $sum | cut -c 1-64
}

# once NAME "PATH..." COMMAND...: what was well is not done again while the sources are the same. A function given here
# ends with its first failure by itself: 'set -e' does not reach into it.
once() {
  local name="$1" places="$2" stamp now
  shift 2
  stamp="$root/.build/done/$name"
  # shellcheck disable=SC2086 # the list is meant to be split
  now="$(digest Sources Package.swift $places)"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$now" ]; then
    say "$name: the sources are those of the last time, when all was well"
    return 0
  fi
  "$@" || return
  mkdir -p "$(dirname "$stamp")"
  echo "$now" >"$stamp"
}

# The tests' build, in a folder of its own beside that of `swift test`: compiled by modules, not by files, it takes a sixth
# less from nothing, and without lines for a debugger another sixth. A number of threads makes an object file for each source,
# where the index that finds tests looks for them.
test_build=(--scratch-path .build/tests --explicit-target-dependency-import-check error -debug-info-format none
  -Xswiftc -warnings-as-errors -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1)

# run_tests OPTION...: shows what ended, and repeats at the end what failed. A test that waits for ever is named, where
# the system can end it (coreutils).
run_tests() {
  local code=0 limit=() log
  if command -v timeout >/dev/null 2>&1; then limit=(timeout --foreground --signal INT "${APUS_TEST_LIMIT:-1800}"); fi
  log="$(mktemp)"
  ${limit[@]+"${limit[@]}"} swift test --skip-build "${test_build[@]}" "$@" 2>&1 | tee "$log" | sed '/^◇/d' || code=$?
  if [ "$code" -eq 124 ]; then
    say "The tests were ended after ${APUS_TEST_LIMIT:-1800} seconds. Begun, and not ended by then:"
    unended_tests "$log" >&2
  fi
  if [ "$code" -ne 0 ]; then
    say "What failed:"
    failed_tests "$log" >&2
  fi
  rm -f "$log"
  return "$code"
}

# failed_tests LOG: the lines of a log that tell of failures, each with the values and comments below it.
failed_tests() {
  awk '
    /✘/ { shown = 1 }
    /◇|✔/ { shown = 0 }
    shown { print }
    /[Ff]atal error:|signal code/ { print }' "$1" | tail -n 200
}

# unended_tests LOG: the tests that a log tells the beginning of and not the end.
unended_tests() {
  awk '
    { gsub(/\033\[[0-9;]*m/, "") }
    / Test (case|run) / { next }
    match($0, /Test .* started\./) { begun[substr($0, RSTART, RLENGTH - 9)] }
    match($0, /Test .* (passed|failed) after /) {
      name = substr($0, RSTART, RLENGTH)
      sub(/ (with [0-9]+ test cases? )?(passed|failed) after $/, "", name)
      delete begun[name]
    }
    END { for (name in begun) print "  " name }' "$1" | sort
}

# What computes for long and from one seed: the same sources are judged alike twice. Without APUS_MODEL_SEED the check
# by itself draws a new one.
run_long_tests() {
  export APUS_MODEL_SEED="${APUS_MODEL_SEED:-552315121}" APUS_MODEL_STEPS="${APUS_MODEL_STEPS:-20000}"
  once model-check "Tests/CacheTests Tests/Support" run_tests --filter ModelCheckTests
  once generated-deliveries "Tests/IncrementalTests Tests/Support" run_tests --filter GeneratedDeliveryTests
  once reference "Tests/ReferenceTests Tests/ExecutionTests Tests/Support Tests/Servers" \
    run_tests --filter 'ReferenceTests|MutatedDocumentsTests'
}

# The installed program, hit and killed and kept at work: a hundredth of what is done by hand. The hammer draws a new seed
# each time; whoever wants another of the same program calls it by itself.
run_bench() {
  .build/tests/debug/ApusHammer "${APUS_HAMMER_COUNT:-3000}" &&
    .build/tests/debug/ApusChaos 20 &&
    .build/tests/debug/ApusSoak 100
}

# Every script of this checkout, as shellcheck sees it.
check_scripts() {
  shellcheck -x install.sh .ci/run Docs/Examples/run Docs/Packaging/*/build Docs/Packaging/tarball/sbom \
    Docs/Pictures/draw Docs/build-site Tests/*/run Tests/run-* Tests/count-explorer Tests/Generated/compile-corpus
}

test_apus() {
  ensure_swift "$minimum_swift_for_tests"
  ensure_libraries
  ensure_test_tools
  ensure_server_packages
  cd "$root"
  logs="$(mktemp -d)"
  # shellcheck disable=SC2064 # the folder is named now
  trap "kill \$(jobs -p) 2>/dev/null || true; rm -rf '$logs'" EXIT
  local begin=$SECONDS
  # It waits for downloads more than it computes.
  aside test-servers ensure_all_servers
  aside release-build build_release
  phase "style" swift format lint --strict --recursive --parallel Package.swift Sources Tests
  phase "scripts" check_scripts
  phase "debug build" swift build --build-tests "${test_build[@]}"
  await test-servers
  await release-build
  # The program under test is the one that is installed.
  export APUS_PROGRAM="$root/.build/install/release/apus"
  # Few tests at once: each has its clock running while it waits for the others. What computes for long goes by itself
  # behind them, so that it keeps nothing waiting that has a clock to obey.
  export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6
  phase "tests" run_tests --skip 'ModelCheckTests|GeneratedDeliveryTests|MutatedDocumentsTests|ReferenceTests'
  aside long-tests run_long_tests
  aside examples once examples "Docs/Examples" Docs/Examples/run
  phase "hammer, chaos, soak" once "bench-${APUS_HAMMER_COUNT:-3000}" \
    "Tests/Hammer Tests/Chaos Tests/Soak Tests/Servers Tests/Support" run_bench
  await long-tests
  await examples
  local executions="${APUS_FUZZ_EXECUTIONS:-20000}"
  phase "fuzzers" once "fuzzers-$executions" Tests/Fuzzing Tests/Fuzzing/run --executions "$executions"
  say "Where the time went:"
  printf '%s\n' "${times[@]}" >&2
  say "$(printf '%5d s  in all' $((SECONDS - begin)))"
}

case "$command" in
  install) install_apus ;;
  demo)
    { [ -t 0 ] && [ -t 1 ]; } || fail "demo opens a full-screen program and needs a terminal; './install.sh' alone installs"
    install_apus
    exec "$prefix/bin/apus" demo
    ;;
  test) test_apus ;;
  uninstall) uninstall_apus ;;
esac
