#!/usr/bin/env bash
# Groups the commits that read-log.sh left, writes changelog.md and prints it, shortened if it is too long to print.
set -u

work="${TMPDIR:-/tmp}/write-changelog"
if [ ! -s "$work/commits" ]; then
  printf 'write-changelog: run read-log.sh first.\n' >&2
  exit 1
fi

# Where just-bash runs this awk program, a function called after "next" or "continue" returns nothing: neither is used.
awk -F '\t' -v room=30000 '
  BEGIN {
    groups = split("Breaking Added Changed Fixed Removed Other", title, " ")
    words("feat feature add added", type, "Added")
    words("perf refactor change changed changes improve improvement revert deprecate deprecated", type, "Changed")
    words("fix fixed bugfix hotfix security", type, "Fixed")
    words("remove removed", type, "Removed")
    words("docs doc test tests build ci chore style release deps wip", type, "Other")
    words("add adds added adding implement implements implemented introduce introduces introduced support supports new create creates created", verb, "Added")
    words("fix fixes fixed fixing resolve resolves resolved correct corrects corrected repair repairs repaired prevent prevents prevented", verb, "Fixed")
    words("remove removes removed removing delete deletes deleted deleting drop drops dropped dropping", verb, "Removed")
    words("change changes changed changing update updates updated updating improve improves improved refactor refactors refactored", verb, "Changed")
    words("rename renames renamed move moves moved replace replaces replaced rewrite rewrites rewrote simplify simplifies simplified", verb, "Changed")
    words("make makes made allow allows allowed use uses switch switches optimize optimizes optimise optimises speed reduce reduces", verb, "Changed")
    words("increase increases extend extends convert converts migrate migrates upgrade upgrades bump bumps rework deprecate deprecates require requires revert reverts reverted", verb, "Changed")
  }
  function words(list, into, group,   part, n, i) {
    n = split(list, part, " ")
    for (i = 1; i <= n; i++) into[part[i]] = group
  }
  # Markdown outside of code spans, so that text stays text.
  function plain(text) {
    gsub(/[\\*<\[\]]/, "\\\\&", text)
    return text
  }
  function markdown(text,   ticks, part, n, i, out) {
    if (length(text) > 300) text = substr(text, 1, 299) "…"
    ticks = gsub(/`/, "`", text)
    if (ticks % 2 || text ~ /``/) {
      out = plain(text)
      gsub(/`/, "\\\\&", out)
    } else {
      n = split(text, part, "`")
      for (i = 1; i <= n; i++) out = out "" (i > 1 ? "`" : "") "" (i % 2 ? plain(part[i]) : part[i])
    }
    if (out ~ /^[#>+~=|-]/) out = "\\" out
    else if (match(out, /^[0-9]+[.)]/)) out = substr(out, 1, RLENGTH - 1) "\\" substr(out, RLENGTH)
    return out
  }
  # Sets group, scope and words of a subject.
  function classify(subject, isBreaking,   head, kind, first) {
    sub(/^:[a-z0-9_+-]+: */, "", subject)
    scope = ""
    group = ""
    if (match(subject, /^[A-Za-z][A-Za-z0-9_.\/-]*(\([^()]*\))?!?: */)) {
      head = substr(subject, 1, RLENGTH)
      subject = substr(subject, RLENGTH + 1)
      if (head ~ /!: *$/) isBreaking = 1
      kind = head
      sub(/[(!:].*$/, "", kind)
      if (match(head, /\([^()]*\)/)) scope = substr(head, RSTART + 1, RLENGTH - 2)
      if (tolower(kind) in type) group = type[tolower(kind)]
      else if (tolower(kind) == "breaking") isBreaking = 1
      else scope = kind "" (scope == "" ? "" : "/" scope)
    } else if (match(subject, /^BREAKING( CHANGE)?: */)) {
      subject = substr(subject, RLENGTH + 1)
      isBreaking = 1
    } else if (match(subject, /^\[[^\]]+\] */)) {
      scope = substr(subject, 2, index(subject, "]") - 2)
      subject = substr(subject, RLENGTH + 1)
    }
    if (subject == "") { subject = kind; scope = "" }
    first = tolower(subject)
    sub(/[^a-z].*$/, "", first)
    if (group == "") group = first in verb ? verb[first] : "Other"
    if (isBreaking) group = "Breaking"
    text = subject
  }
  # Makes an entry of commit i, or adds its hash to the entry that says the same.
  function enter(i,   key) {
    classify(subject[i], note[i] != "")
    key = tolower(scope "\t" text)
    sub(/ *\(#[0-9]+\)$/, "", key)
    sub(/ *\.$/, "", key)
    key = group "\t" key
    if (key in entry) {
      hashes[entry[key]] = hashes[entry[key]] ", " hash[i]
      folded++
    } else {
      entries++
      entry[key] = entries
      of[entries] = group
      size[group]++
      line[entries] = scope == "" ? "" : "**" markdown(scope) ":** "
      line[entries] = line[entries] markdown(text)
      if (note[i] != "") line[entries] = line[entries] " — " markdown(note[i])
      hashes[entries] = hash[i]
    }
  }
  $1 == "#" { all = $2; merges = $3; unnamed = $4 }
  $1 != "#" {
    n++
    hash[n] = $1
    date[n] = $2
    subject[n] = $3
    note[n] = $4
    if ($2 != "") {
      if (from == "" || $2 < from) from = $2
      if ($2 > to) to = $2
    }
  }
  END {
    # A log of --reverse has the oldest commit first.
    backwards = n > 0 && date[1] != "" && date[1] < date[n]
    # From old to new: a revert takes away the commit that it names, if that is here.
    for (k = 1; k <= n; k++) {
      i = backwards ? k : n + 1 - k
      s = subject[i]
      if (s ~ /^Revert "Revert ".*""$/) s = subject[i] = substr(s, 17, length(s) - 18)
      else if (s ~ /^Reapply ".*"$/) s = subject[i] = substr(s, 10, length(s) - 10)
      else if (s ~ /^Revert ".*"$/) {
        undone = substr(s, 9, length(s) - 9)
        if (undone in last && last[undone]) {
          gone[last[undone]] = 1
          gone[i] = 1
          reverted += 2
          last[undone] = 0
        }
      }
      if (!(i in gone)) last[s] = i
    }
    for (k = 1; k <= n; k++) {
      i = backwards ? n + 1 - k : k
      if (!(i in gone)) enter(i)
    }
    summary = count(all, "commit", "commits")
    if (from != "") summary = summary "" (from == to ? " on " from : " from " from " to " to)
    summary = summary ": " count(entries + 0, "entry", "entries")
    if (merges) summary = summary ", " count(merges, "merge", "merges") " skipped"
    if (reverted) summary = summary ", " reverted " commits that cancel each other left out"
    if (folded) summary = summary ", " count(folded, "duplicate", "duplicates") " folded"
    if (unnamed) summary = summary ", " unnamed " without a subject left out"
    head = "# Changelog\n\n" summary ".\n"
    full = render(0)
    printf "%s", full > "changelog.md"
    close("changelog.md")
    for (g = 1; g <= groups; g++) used += (title[g] in size)
    if (length(full) > room) full = render(int((room - length(head) - 800) / used))
    printf "%s", full
  }
  function count(n, one, many) { return n " " (n == 1 ? one : many) }
  # All groups; with a limit, at most that many characters of each.
  function render(limit,   g, e, out, part, item, left) {
    out = head
    for (g = 1; g <= groups; g++) {
      part = ""
      left = 0
      for (e = 1; e <= entries; e++) {
        if (of[e] == title[g]) {
          item = "- " line[e] " (" hashes[e] ")\n"
          if (limit && (left || length(part) + length(item) > limit)) left++
          else part = part item
        }
      }
      if (left) part = part "- … and " left " older; changelog.md has all of them.\n"
      if (part != "") out = out "\n## " title[g] "\n\n" part
    }
    return out
  }
' "$work/commits"
