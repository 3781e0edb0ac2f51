#!/usr/bin/env bash
# Takes a unified diff apart: a table of files, the added lines with their numbers, the removed lines.
# Usage: read-diff.sh [FILE], or the file's path as the first line of standard input, or neither: the only file here.
set -u

work="${TMPDIR:-/tmp}/review-changes"

fail() {
  printf 'review-changes: %s\n' "$*" >&2
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
  found=$(find . -type f -not -path '*/.git/*' | LC_ALL=C sort | head -n 11)
  if [ -n "$named" ]; then
    case $named in /* | ./*) ;; *) named=./$named ;; esac
    [ -f "$named" ] || fail "there is no file ${named#./}. Files here:"$'\n'"${found:-(none)}"
    printf '%s' "$named"
    return
  fi
  [ -n "$found" ] || fail 'there is no input. Hand in one file with a unified diff, such as git diff main...HEAD > changes.diff'
  count=$(printf '%s\n' "$found" | wc -l)
  [ "$count" -eq 1 ] || fail "there are several files; name the diff in the argument. Files here:"$'\n'"$found"
  printf '%s' "$found"
}

# One part of the diff. What is known at its start comes in its first line, and goes out in the last line that is printed.
# just-bash runs this too. Its awk loses a function's answer after "next" or "continue", and goes on after "return f()".
take_apart() {
  awk -F '\t' '
    function clean(path) {
      sub(/\t.*$/, "", path)
      if (path ~ /^".*"$/) path = substr(path, 2, length(path) - 2)
      gsub(/[[:cntrl:]]/, " ", path)
      return path
    }
    # What a line says, without tabs, since they separate fields.
    function words(text) {
      text = substr(text, 2, 2000)
      gsub(/\t/, "  ", text)
      return text
    }
    function start(name) {
      finish()
      inFile = 1
      path = name
      old = ""
      status = "changed"
      mode = ""
      binary = 0
      added = 0
      removed = 0
      hunks = 0
      fixed = 0
    }
    function finish() {
      if (inFile) print "F\t" status "\t" added "\t" removed "\t" path "\t" old "\t" mode "\t" binary
      inFile = 0
    }
    # The path of "diff --git a/P b/P", where both halves are the same.
    function headerPath(rest,   half, left, right) {
      if (rest ~ /^".*"$/) {
        rest = substr(rest, 2, index(substr(rest, 2), "\"") - 1)
        prefixed = (rest ~ /^a\//)
        if (prefixed) rest = substr(rest, 3)
      } else {
        half = int((length(rest) - 1) / 2)
        left = substr(rest, 1, half)
        right = substr(rest, half + 2)
        prefixed = (left != right)
        rest = right
        # Two names: what follows says which.
        if (prefixed) rest = substr(left, 3) == substr(right, 3) ? substr(right, 3) : ""
      }
      return rest
    }
    function pathOf(name) {
      name = clean(name)
      if (name == "/dev/null") return ""
      if (prefixed && name ~ /^[a-z0-9]\//) return substr(name, 3)
      return name
    }
    function hunk(header,   part, range) {
      split(header, part, " ")
      oldLeft = split(substr(part[2], 2), range, ",") > 1 ? range[2] + 0 : 1
      newLeft = split(substr(part[3], 2), range, ",") > 1 ? range[2] + 0 : 1
      line = range[1] + 0
      hunks++
    }
    function header(text) {
      if (text ~ /^diff --git /) { start(""); path = headerPath(substr(text, 12)); git = 1 }
      else if (text ~ /^diff --(cc|combined) /) { start(clean(substr(text, index(text, " --") + 6))); status = "combined"; fixed = 1 }
      else if (text ~ /^--- /) {
        # Without git, this line is what begins a file.
        if (!git) { start(""); prefixed = text ~ /^--- "?a\// }
        was = pathOf(substr(text, 5))
        if (was == "") status = "added"
      }
      else if (text ~ /^\+\+\+ / && inFile) {
        now = pathOf(substr(text, 5))
        if (now == "") { status = "deleted"; if (!fixed) path = was }
        else if (!fixed) path = now
      }
      else if (text ~ /^@@ -[0-9,]+ \+[0-9,]+ @@/ && inFile) hunk(text)
      else if (text ~ /^new file mode/) { status = "added"; if (text ~ /755$/) mode = "executable" }
      else if (text ~ /^deleted file mode/) status = "deleted"
      else if (text ~ /^new mode /) mode = text ~ /755$/ ? "made executable" : "mode " substr(text, 10)
      else if (text ~ /^(rename|copy) from /) { status = text ~ /^copy/ ? "copied" : "renamed"; old = clean(substr(text, 13 - (status == "copied") * 2)) }
      else if (text ~ /^(rename|copy) to /) { path = clean(substr(text, 11 - (status == "copied") * 2)); fixed = 1 }
      else if (text ~ /^Binary files .* differ$/ || text ~ /^GIT binary patch/) binary = 1
    }
    NR == 1 {
      inFile = $2 + 0; git = $3 + 0; oldLeft = $4 + 0; newLeft = $5 + 0; line = $6 + 0; path = $7; old = $8; status = $9; mode = $10
      binary = $11 + 0; added = $12 + 0; removed = $13 + 0; fixed = $14 + 0; prefixed = $15 + 0; sign = $16; was = $17
    }
    NR > 1 {
      first = substr($0, 1, 1)
      if (oldLeft + newLeft > 0 && first == "+") {
        if (length($0) > 301) print "L\t" path "\t" line "\t" (length($0) - 1)
        print "A\t" path "\t" line "\t" words($0)
        added++
        newLeft--
        line++
        sign = "+"
      } else if (oldLeft + newLeft > 0 && first == "-") {
        print "R\t" path "\t" 0 "\t" words($0)
        removed++
        oldLeft--
        sign = "-"
      } else if (first == "\\") {
        if (sign == "+") print "N\t" path "\t" (line - 1) "\t"
      } else if (oldLeft + newLeft > 0 && (first == " " || first == "")) {
        oldLeft--
        newLeft--
        line++
        sign = " "
      } else {
        if (oldLeft + newLeft > 0) print "T\t" path "\t" line "\t"
        oldLeft = 0
        newLeft = 0
        sign = ""
        header($0)
      }
    }
    END {
      print "S\t" (inFile + 0) "\t" (git + 0) "\t" (oldLeft + 0) "\t" (newLeft + 0) "\t" (line + 0) "\t" path "\t" old "\t" status "\t" mode "\t" (binary + 0) "\t" (added + 0) "\t" (removed + 0) "\t" (fixed + 0) "\t" (prefixed + 0) "\t" sign "\t" was
    }
  '
}

input=$(find_input "$@") || exit 1
rm -rf "$work"
mkdir -p "$work" || exit 1
sed -e $'1s/^\xef\xbb\xbf//' -e 's/\r$//' "$input" > "$work/diff" || fail "${input#./} cannot be read."
grep -q '[^[:space:]]' "$work/diff" || fail "${input#./} is empty: no changes, or not the command that was meant."

# awk reads at most 10,000 lines at a time in just-bash.
total=$(grep -c '' "$work/diff")
part=9000
from=1
state=S
: > "$work/parts"
while [ "$from" -le "$total" ]; do
  { printf '%s\n' "$state"; tail -n "+$from" "$work/diff" | head -n "$part"; } | take_apart > "$work/part" || fail 'the diff cannot be taken apart.'
  state=$(tail -n 1 "$work/part")
  grep -v '^S' "$work/part" >> "$work/parts"
  from=$((from + part))
done
# The last file has no header after it that would close it.
printf '%s\ndiff --git a/- b/-\n' "$state" | take_apart | grep '^[FT]' >> "$work/parts"

grep '^F' "$work/parts" > "$work/files"
sed -n $'s/^A\t//p' "$work/parts" > "$work/added"
sed -n $'s/^R\t//p' "$work/parts" > "$work/removed"
sed -n $'s/^L\t//p' "$work/parts" > "$work/long"
sed -n $'s/^N\t//p' "$work/parts" > "$work/unended"
sed -n $'s/^T\t//p' "$work/parts" > "$work/torn"
[ -s "$work/files" ] || fail "${input#./} is not a unified diff: no file header was found. Make it with git diff main...HEAD > changes.diff"
printf 'Read %s lines from %s.\n' "$total" "${input#./}"
