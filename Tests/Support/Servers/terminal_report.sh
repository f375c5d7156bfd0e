#!/bin/bash
# Runs a program in a terminal, and describes the terminal before and after it.
#
#     terminal_report.sh FOLDER PROGRAM ARGUMENT...
#
# In FOLDER, `before` and `after` have the settings of the line, input that was not read, and the modes that the terminal
# reports; `code` has the exit code.

folder="$1"
shift

# report NAME: the device attributes, which every terminal reports, end the responses.
report() {
  local settings mode responses
  settings="$(stty -g)"
  stty -echo -icanon
  for mode in 1 7 25 1000 1002 1004 1006 1036 1039 1049 2004 2026; do printf "\033[?%s\$p" "$mode"; done
  printf '\033[c'
  # shellcheck disable=SC2034 # The c is the delimiter.
  IFS= read -r -s -d c responses
  stty "$settings"
  printf '%s\n%q\n' "$settings" "$responses" >"$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

report before
"$@"
echo "$?" >"$folder/code"
report after
