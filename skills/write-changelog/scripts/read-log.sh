#!/usr/bin/env bash
# Reads a git log and leaves one line a commit: hash, date, subject, breaking note (tab separated).
# Usage: read-log.sh [FILE], or the file's path as the first line of standard input, or neither: the only file here.
set -u

work="${TMPDIR:-/tmp}/write-changelog"
tab=$'\t'
most=9000

fail() {
  printf 'write-changelog: %s\n' "$*" >&2
  exit 1
}

find_input() {
  local named='' found count
  # Not `read`: in just-bash it breaks letters outside of ASCII.
  if [ $# -gt 0 ]; then named=$1; else named=$(head -n 1); fi
  named=${named%$'\r'}
  named=${named#"${named%%[![:space:]]*}"}
  named=${named%"${named##*[![:space:]]}"}
  case $named in
    \"?*\" | \'?*\') named=${named#?}; named=${named%?} ;;
  esac
  found=$(find . -type f -not -path '*/.git/*' -not -path './changelog.md' | LC_ALL=C sort | head -n 11)
  if [ -n "$named" ]; then
    case $named in /* | ./*) ;; *) named=./$named ;; esac
    [ -f "$named" ] || fail "there is no file ${named#./}. Files here:"$'\n'"${found:-(none)}"
    printf '%s' "$named"
    return
  fi
  [ -n "$found" ] || fail 'there is no input. Hand in one file with the output of git log (the skill says which command).'
  count=$(printf '%s\n' "$found" | wc -l)
  [ "$count" -eq 1 ] || fail "there are several files; name the log in the argument. Files here:"$'\n'"$found"
  printf '%s' "$found"
}

input=$(find_input "$@") || exit 1
mkdir -p "$work" && rm -f "$work/commits" || exit 1

# Carriage returns and a byte order mark come from editors, not from git.
sed -e $'1s/^\xef\xbb\xbf//' -e 's/\r$//' "$input" > "$work/log" || fail "${input#./} cannot be read."
grep -q '[^[:space:]]' "$work/log" || fail "${input#./} is empty."

if grep -qE "^[0-9a-f]{4,64}$tab[0-9]{4}-[0-9]{2}-[0-9]{2}$tab" "$work/log"; then
  format=fields
  grep -E "^([0-9a-f]{4,64}$tab|    BREAKING[ -]CHANGES?:)" "$work/log" > "$work/lines"
elif grep -qE '^commit [0-9a-f]{7,64}' "$work/log"; then
  format=medium
  # Of each message only its first line and its breaking notes are needed.
  sed -n -e '/^commit [0-9a-f]/,/^    [^ ]/{p;d}' -e '/^    BREAKING[ -]CHANGE/p' "$work/log" |
    grep -E '^(commit [0-9a-f]|Merge: |Date: |    [^ ])' > "$work/lines"
else
  format=oneline
  grep -E '^[0-9a-f]{7,64} +[^ ]' "$work/log" > "$work/lines"
fi

[ -s "$work/lines" ] || fail "${input#./} is not a git log that can be read: no line begins like a commit. Make it with
  git log --date=short --pretty='tformat:%h%x09%ad%x09%p%x09%s%n%w(0,4,4)%b' > git-log.txt"
[ "$(wc -l < "$work/lines")" -le "$most" ] || fail "${input#./} has too many commits for one go (more than $most lines matter). Narrow the range, for instance v1.4.0..HEAD."

# Where just-bash runs this awk program, a function called after "next" returns nothing: none is used.
awk -F '\t' -v format="$format" '
  function flush() {
    if (hash == "") return
    all++
    gsub(/[[:cntrl:]]+/, " ", subject)
    gsub(/  +/, " ", subject)
    sub(/^ /, "", subject)
    sub(/ $/, "", subject)
    if (merge || subject ~ /^Merge (branch|branches|tag|commit|pull request|remote-tracking branch) /) merges++
    else if (subject == "") unnamed++
    else print substr(hash, 1, 7) "\t" date "\t" subject "\t" note
    hash = ""
  }
  function begin(h, d, m, s) { flush(); hash = h; date = d; merge = m; subject = s; note = "" }
  function addNote(text) {
    sub(/^ *BREAKING[ -]CHANGES?: */, "", text)
    gsub(/[[:cntrl:]]+/, " ", text)
    note = note "" (note == "" ? "" : " ") "" (text == "" ? "see the commit" : text)
  }
  format == "fields" && /^    / && hash != "" { addNote($0) }
  format == "fields" && !/^ / && NF >= 4 {
    # A subject may hold tabs itself.
    rest = $0
    for (i = 1; i <= 3; i++) rest = substr(rest, index(rest, "\t") + 1)
    begin($1, $2, $3 ~ / /, rest)
  }
  format == "medium" && /^commit / { split($0, word, " "); begin(word[2], "", 0, "") }
  format == "medium" && /^Merge: / { merge = 1 }
  format == "medium" && /^Date: / && match($0, /[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/) { date = substr($0, RSTART, RLENGTH) }
  format == "medium" && /^    / { if (subject == "") subject = substr($0, 5); else addNote($0) }
  format == "oneline" { split($0, word, " "); begin(word[1], "", 0, substr($0, length(word[1]) + 1)) }
  END {
    flush()
    print "#\t" all "\t" merges + 0 "\t" unnamed + 0
  }
' "$work/lines" > "$work/commits"

printf 'Read %s from %s (format: %s).\n' "$(tail -n 1 "$work/commits" | cut -f 2) commits" "${input#./}" "$format"
