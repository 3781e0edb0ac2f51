#!/usr/bin/env bash
# Prints an inventory of the files below the current folder as Markdown.
set -u

work="${TMPDIR:-/tmp}/inventory"
most=2000

fail() {
  printf 'inventory: %s\n' "$*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work" || exit 1
find . -type f -not -path '*/.git/*' | LC_ALL=C sort > "$work/paths"
[ -s "$work/paths" ] || fail 'there are no files here. Hand in the files to look at.'
[ "$(grep -c '' "$work/paths")" -le "$most" ] || fail "there are more than $most files here. Hand in fewer, or start in a folder below."

find . -type f -not -path '*/.git/*' -exec sha256sum {} + > "$work/digests" || fail 'a file cannot be read.'
find . -type f -not -path '*/.git/*' -exec wc -lwc {} + > "$work/counts" || fail 'a file cannot be read.'
# With a second file grep always prints names. It counts a last line without a newline, and wc does not.
: > "$work/nothing"
find . -type f -not -path '*/.git/*' -exec grep -c '' "$work/nothing" {} + > "$work/lines"
# GNU grep needs -a to look into binary files; just-bash has no -a and needs none.
{
  find . -type f -not -path '*/.git/*' -exec grep -alP '\x00' {} + 2> "$work/ignored"
  find . -type f -not -path '*/.git/*' -exec grep -lP '\x00' {} + 2> "$work/ignored"
} > "$work/binaries"

# One table with one row a file, tagged; the awk program below needs nothing else.
{
  sed 's/^/B /' "$work/binaries"
  sed 's/^/L /' "$work/lines"
  sed 's/^/D /' "$work/digests"
  sed 's/^/C /' "$work/counts"
  sed 's/^/P /' "$work/paths"
} > "$work/facts"

# just-bash runs this too: no "next" and no "continue", after which its awk loses what a function answers.
awk -v room=22000 '
  BEGIN {
    kinds("md markdown mdx", "Markdown"); kinds("txt text log", "text"); kinds("rst adoc", "markup"); kinds("html htm xhtml", "HTML")
    kinds("css scss sass less", "CSS"); kinds("js mjs cjs jsx", "JavaScript"); kinds("ts mts cts tsx", "TypeScript"); kinds("vue svelte", "component")
    kinds("json jsonc json5", "JSON"); kinds("jsonl ndjson", "JSON lines"); kinds("yaml yml", "YAML"); kinds("toml", "TOML"); kinds("xml xsd xsl", "XML")
    kinds("csv tsv", "table"); kinds("ini cfg conf env properties", "settings"); kinds("py pyi", "Python"); kinds("rb", "Ruby"); kinds("go", "Go"); kinds("rs", "Rust")
    kinds("java", "Java"); kinds("kt kts", "Kotlin"); kinds("c h", "C"); kinds("cc cpp cxx hpp hh", "C++"); kinds("cs", "C#"); kinds("swift", "Swift"); kinds("php", "PHP")
    kinds("sh bash zsh fish", "shell"); kinds("ps1", "PowerShell"); kinds("sql", "SQL"); kinds("svg", "SVG"); kinds("diff patch", "diff"); kinds("lock", "lock file"); kinds("tf", "Terraform")
    kinds("proto", "Protocol Buffers"); kinds("graphql gql", "GraphQL")
    named["makefile"] = "Makefile"; named["dockerfile"] = "Dockerfile"; named["license"] = "licence"; named["readme"] = "text"; named["jenkinsfile"] = "pipeline"
  }
  function kinds(list, name,   part, n, i) {
    n = split(list, part, " ")
    for (i = 1; i <= n; i++) kindOf[part[i]] = name
  }
  function kind(path,   base, answer) {
    base = tolower(path)
    sub(/^.*\//, "", base)
    answer = "other"
    if (path in binary) answer = "binary"
    else if (base in named) answer = named[base]
    else if (base ~ /^[^.].*\./) {
      sub(/^.*\./, "", base)
      if (base in kindOf) answer = kindOf[base]
      else if (base ~ /^[a-z0-9_+-]+$/ && length(base) <= 10) answer = "." base
    }
    answer = code(answer, answer ~ /^\./)
    return answer
  }
  # Text as a code span that it cannot leave.
  function code(text, quote,   fence) {
    if (quote) {
      gsub(/[[:cntrl:]]/, " ", text)
      if (length(text) > 160) text = "…" substr(text, length(text) - 158)
      fence = "`"
      while (index(text, fence)) fence = fence "`"
      if (text ~ /^`/ || text ~ /`$/) text = " " text " "
      text = fence text fence
    }
    return text
  }
  function shown(path) {
    path = code(substr(path, 3), 1)
    return path
  }
  function many(n, one, more) { return n " " (n == 1 ? one : more) }
  $1 == "B" { binary[substr($0, 3)] = 1 }
  $1 == "L" && match($0, /:[0-9]+$/) { lines[substr($0, 3, RSTART - 3)] = substr($0, RSTART + 1) }
  $1 == "D" && match($0, /^D [0-9a-f]+ [ *]/) { digest[substr($0, RLENGTH + 1)] = $2 }
  $1 == "C" && match($0, /^C +[0-9]+ +[0-9]+ +[0-9]+ /) {
    path = substr($0, RLENGTH + 1)
    ends[path] = $2
    words[path] = $3
    bytes[path] = $4
  }
  $1 == "P" { n++; file[n] = substr($0, 3) }
  END {
    table = ""
    for (i = 1; i <= n; i++) {
      path = file[i]
      if (path in binary) { allBinary++; counts = "– | –" }
      else {
        if (lines[path] > ends[path]) { open++; openList[open] = path }
        allLines += lines[path]
        allWords += words[path]
        counts = lines[path] " | " words[path]
      }
      allBytes += bytes[path]
      name = shown(path)
      # A bar would end the cell.
      gsub(/\|/, "\\\\&", name)
      row = "| " name " | " kind(path) " | " counts " | " bytes[path] " |\n"
      if (left || length(table) + length(row) > room) left++
      else table = table row
      d = digest[path]
      if (bytes[path] > 0) {
        if (d in first) {
          if (!(d in group)) { groups++; group[d] = groups; names[groups] = shown(first[d]); wasted[groups] = 0 }
          names[group[d]] = names[group[d]] ", " shown(path)
          wasted[group[d]] += bytes[path]
        } else first[d] = path
      } else empty++
    }
    printf "# Inventory\n\n%s, %s, %s, %s.", many(n, "file", "files"), many(allLines + 0, "line", "lines"), many(allWords + 0, "word", "words"), many(allBytes + 0, "byte", "bytes")
    if (allBinary) printf " %s without lines and words.", many(allBinary, "binary file", "binary files")
    if (empty) printf " %s.", many(empty, "empty file", "empty files")
    printf "\n\n| file | kind | lines | words | bytes |\n|---|---|---:|---:|---:|\n%s", table
    printf "| **all** | | **%d** | **%d** | **%d** |\n", allLines, allWords, allBytes
    if (left) printf "\n%s more not shown in the table; all are counted.\n", many(left, "file", "files")

    printf "\n## Largest\n\n"
    for (k = 1; k <= 5 && k <= n; k++) {
      best = ""
      for (i = 1; i <= n; i++) if (!(file[i] in taken) && (best == "" || bytes[file[i]] > bytes[best])) best = file[i]
      taken[best] = 1
      share = allBytes > 0 ? int(bytes[best] * 100 / allBytes + 0.5) : 0
      printf "%d. %s: %s (%d %%)\n", k, shown(best), many(bytes[best] + 0, "byte", "bytes"), share
    }
    printf "\n## Duplicates\n\n"
    for (k = 1; k <= groups && k <= 20; k++) printf "- %s (%s to spare)\n", substr(names[k], 1, 1000), many(wasted[k], "byte", "bytes")
    if (groups > 20) printf "- … and %d more groups\n", groups - 20
    if (!groups) print "None."
    printf "\n## No final newline\n\n"
    for (k = 1; k <= open && k <= 20; k++) printf "- %s\n", shown(openList[k])
    if (open > 20) printf "- … and %d more\n", open - 20
    if (!open) print "None."
  }
' "$work/facts"
