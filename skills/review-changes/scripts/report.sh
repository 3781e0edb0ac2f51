#!/usr/bin/env bash
# Looks for risky things in what read-diff.sh left, and prints the report.
set -u

work="${TMPDIR:-/tmp}/review-changes"
if [ ! -s "$work/files" ]; then
  printf 'review-changes: run read-diff.sh first.\n' >&2
  exit 1
fi

tab=$'\t'
findings="$work/findings"
: > "$findings"

# Paths: regular expressions without anchors, matched against the whole path.
any="[^$tab]*"
docs="${any}\.(md|mdx|markdown|rst|adoc|txt)"
scripts="${any}\.(js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte)"
tests="(($any/)?(tests?|specs?|__tests__|e2e)/$any|${any}[._-](test|spec|tests|specs)\.[A-Za-z]+|($any/)?test_[^$tab/]*\.py|${any}(Test|Tests|Spec)\.(java|kt|scala|cs|swift|php))"
sources="${any}\.(js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|py|rb|go|rs|java|kt|kts|scala|cs|fs|swift|php|c|cc|cpp|cxx|h|hpp|m|mm|ex|exs|erl|clj|dart|lua|pl|sh|bash|sql)"
locks="($any/)?(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock)"
manifests="($any/)?(package\.json|Cargo\.toml|Gemfile|[^$tab/]*\.gemspec|pyproject\.toml|Pipfile|composer\.json|go\.mod|flake\.nix|mix\.exs|pubspec\.yaml|Podfile)"
generated="($locks|${any}\.(svg|snap|map|csv|tsv)|${any}\.min\.(js|css))"
pipelines="(\.github/(workflows|actions)/$any|\.gitlab-ci\.yml|\.circleci/$any|\.buildkite/$any|azure-pipelines${any}\.yml|Jenkinsfile|\.travis\.yml|bitbucket-pipelines\.yml|\.drone\.yml)"
rights="(($any/)?CODEOWNERS|\.github/(dependabot|settings)\.ya?ml|($any/)?\.gitmodules|($any/)?\.npmrc)"

# Most lines have none of these words, and the checks below are slow: they read only the lines that have one. Plain words
# only, since just-bash is fast with nothing else.
suspects=3000
words='todo|fixme|xxx|hack|console|debugger|print|pdb|breakpoint|binding|byebug|dump|dd\(|dbg!|only|fdescribe|fcontext|fit|focus|skip|xdescribe|xcontext|xit|ignore|private|akia|asia|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat|xox|sk_live_|sk-|aiza|npm_|eyj|://|<<<<<<<|>>>>>>>|reject|tls_|verify|strict|shell|dangerously|eval|curl|wget|chmod|pull_request|write|@ts-|disable|noqa|nolint|allow|suppress|nosonar|pass|secret|token|key|credential'
grep -E -i "$words" "$work/added" > "$work/marked"
head -n "$suspects" "$work/marked" > "$work/checked"

# note LEVEL TITLE: keeps what comes in (path, line, text) as findings, at most 8 of them, with how many there are.
note() {
  cat > "$work/hits"
  local count
  count=$(grep -c '' "$work/hits")
  [ "$count" -eq 0 ] || head -n 8 "$work/hits" | LEVEL=$1 TITLE=$2 COUNT=$count awk '{ print ENVIRON["LEVEL"] "\t" ENVIRON["TITLE"] "\t" ENVIRON["COUNT"] "\t" $0 }' >> "$findings"
}

# added PATHS TEXT: added lines where both match.
added() {
  grep -E "^($1)$tab[0-9]+$tab($2)" "$work/checked"
}

# secret LEVEL KIND PATTERN [EXCEPT]: like added, but the text goes no further, neither here nor in a later check. With
# EXCEPT, lines that match it are spared, and upper and lower case are the same.
secret() {
  local never='x{999}'
  local all="^$any$tab[0-9]+$tab($3)" except="^$any$tab[0-9]+$tab.*(${4:-$never})" case=-E
  [ $# -le 3 ] || case=-i
  grep -E "$case" "$all" "$work/checked" | grep -E -v "$case" "$except" > "$work/kept"
  [ -s "$work/kept" ] || return 0
  {
    grep -E -v "$case" "$all" "$work/checked"
    grep -E "$case" "$all" "$work/checked" | grep -E "$case" "$except"
  } > "$work/others"
  cat "$work/others" > "$work/checked"
  cut -f 1,2 "$work/kept" | KIND=$2 awk '{ print $0 "\t\t" ENVIRON["KIND"] ", text withheld" }' >> "$work/secrets-$1"
}

# files PATTERN: files of the diff by path, as findings without a line.
files() {
  cut -f 5 "$work/files" | grep -E "^($1)$" | awk '{ print $0 "\t\t\t" }'
}

: > "$work/secrets-blocker"
: > "$work/secrets-warning"
secret blocker 'private key' '.*-----BEGIN [A-Z ]*PRIVATE KEY'
secret blocker 'AWS access key' '(.*[^A-Z0-9])?(AKIA|ASIA)[A-Z0-9]{16}([^A-Z0-9].*)?$'
secret blocker 'GitHub token' '.*(gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})'
secret blocker 'service token' '.*(glpat-[A-Za-z0-9_-]{20}|xox[abprs]-[A-Za-z0-9-]{10}|sk_live_[A-Za-z0-9]{16}|AIza[A-Za-z0-9_-]{35}|npm_[A-Za-z0-9]{36})|(.*[^A-Za-z0-9])?sk-[A-Za-z0-9_-]{20}'
secret blocker 'signed token (JWT)' '.*eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.'
secret warning 'password in a URL' '.*://[^/[:space:]:@]+:[^/[:space:]@${<]{3,}@'
secret warning 'value of a name like "password" or "token"' ".*(password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)[A-Za-z0-9_]*[\"']?[[:space:]]*(=>|:=|:|=)[[:space:]]*[\"'][^\"'[:space:]]{8,}[\"']" '(example|changeme|placeholder|dummy|redacted|your[_-]|xxxx|\*\*\*|["'\''](<|\$)|\{\{|\$\{)'

note blocker 'Possible secret' < "$work/secrets-blocker"
added "$any" '(<<<<<<<|>>>>>>>)( .*)?$' | note blocker 'Conflict marker'
{
  added "$scripts" '(.*[^A-Za-z0-9_.])?((describe|context|suite|it|test|bench)(\.[A-Za-z]+)*\.only|fdescribe|fcontext|fit)[[:space:]]*[(.`]'
  added "${any}\.rb" '[[:space:]]*(fdescribe|fcontext|fit|focus)[[:space:](]|.*(:focus|focus: true)'
} | note blocker 'Focused test: the others would not run'

note warning 'Possible secret' < "$work/secrets-warning"
grep -E $'\u202a|\u202b|\u202c|\u202d|\u202e|\u2066|\u2067|\u2068|\u2069|\u200b' "$work/added" |
  cut -f 1,2 | awk '{ print $0 "\t\tinvisible or direction-changing character, text withheld" }' | note warning 'Text that may not be what it looks like'
{
  added "$scripts" '(.*[^A-Za-z0-9_.])?(console\.(log|debug|trace|dir|table))\(|[[:space:]]*debugger[;[:space:]]*$'
  added "${any}\.py" '([[:space:]]*|.*[;:][[:space:]]*)(p?print|breakpoint|i?pdb\.set_trace)\(|[[:space:]]*import i?pdb'
  added "${any}\.(rb|rake)" '.*(binding\.(pry|irb)|byebug)'
  added "${any}\.php" '(.*[^A-Za-z0-9_>])?(var_dump|print_r|dd|dump)\('
  added "${any}\.rs" '.*dbg!\('
  added "${any}\.go" '.*(fmt\.Print(ln|f)?|spew\.Dump)\('
  added "${any}\.(java|kt|kts|scala)" '.*(System\.(out|err)\.print|printStackTrace\()'
  added "${any}\.cs" '.*(Console\.Write(Line)?\(|Debugger\.(Break|Launch))'
} | note warning 'Debug output'
added "$any" '.*(rejectUnauthorized["'\'']?[[:space:]]*:[[:space:]]*false|NODE_TLS_REJECT_UNAUTHORIZED|verify[[:space:]]*=[[:space:]]*False|InsecureSkipVerify[[:space:]]*:[[:space:]]*true|StrictHostKeyChecking[ =]no|shell[[:space:]]*=[[:space:]]*True|dangerouslySetInnerHTML|[^A-Za-z0-9_.]eval\(|(curl|wget) [^|]*\|[[:space:]]*(sudo )?(ba|z|da)?sh|chmod (-R )?(0?777|a\+rwx)|--no-verify)' |
  grep -E -v "^$docs$tab" | note warning 'Safety switched off or code run from text'
added "\.github/workflows/$any" '.*(pull_request_target|write-all|[a-z-]+:[[:space:]]*write([[:space:]]|$))' | note warning 'Rights in a workflow'
{
  added "$scripts" '(.*[^A-Za-z0-9_.])?((describe|context|suite|it|test)\.(skip|todo|fixme)|xdescribe|xcontext|xit)[[:space:]]*[(.`]'
  added "${any}\.py" '.*(@pytest\.mark\.(skip|xfail)|pytest\.skip\(|@unittest\.skip)'
  added "${any}\.(java|kt|kts)" '[[:space:]]*@(Disabled|Ignore)'
  added "${any}\.go" '.*[tb]\.Skip(f|Now)?\('
  added "${any}\.rs" '[[:space:]]*#\[ignore'
} | note warning 'Skipped test'

# Tests that went away: deleted files, and in the others more test cases removed than added.
case_line='[[:space:]]*((async )?(it|test|specify|bench)(\.[A-Za-z]+)*[[:space:]]*\(|(async )?def test_|func (Test|Benchmark|Fuzz)[A-Za-z0-9_]*\(|#\[(tokio::)?test|@(Test|ParameterizedTest)|(it|test) ["'\''])'
{
  grep -E "^F${tab}deleted" "$work/files" | cut -f 5 | grep -E "^($tests)$" | awk '{ print $0 "\t\t\tthe file is deleted" }'
  [ ! -s "$work/removed" ] || {
    grep -E "^($tests|${any}\.rs)$tab[0-9]+$tab($case_line)" "$work/removed" | cut -f 1 | LC_ALL=C sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print "-\t" n "\t" $0 }'
    grep -E "^($tests|${any}\.rs)$tab[0-9]+$tab($case_line)" "$work/added" | cut -f 1 | LC_ALL=C sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print "+\t" n "\t" $0 }'
    grep -E "^F${tab}deleted" "$work/files" | cut -f 5 | awk '{ print "x\t0\t" $0 }'
  } | awk -F '\t' '
    $1 == "-" { lost[$3] += $2 }
    $1 == "+" { lost[$3] -= $2 }
    $1 == "x" { lost[$3] = 0 }
    END { for (path in lost) if (lost[path] > 0) print path "\t\t\t" lost[path] (lost[path] == 1 ? " test case" : " test cases") " fewer" }
  ' | LC_ALL=C sort
} | note warning 'Removed tests'
changed_sources=$(cut -f 2,5 "$work/files" | grep -E -v '^deleted' | cut -f 2 | grep -E "^($sources)$" | grep -E -c -v "^($tests)$")
if [ "$changed_sources" -gt 0 ] && [ -z "$(files "$tests")" ]; then
  printf '\t\t\t%s\n' "source files changed: $changed_sources, test files changed: none" | note warning 'No test changed'
fi
if [ -n "$(files "$locks")" ]; then
  if [ -n "$(files "$manifests")" ]; then level=note title='Dependencies changed'; else level=warning title='Lock file changed without its manifest'; fi
  files "$locks" | note "$level" "$title"
fi
files "$pipelines" | note warning 'Pipeline changed: it runs with the rights of the repository'
files "$rights" | note warning 'Rights or sources of code changed'
awk -F '\t' '$7 != "" { print $5 "\t\t\t" $7 }' "$work/files" | note warning 'File mode changed'

added "$any" '(.*[^A-Za-z0-9_])?(TODO|FIXME|XXX|HACK)([^A-Za-z0-9_].*)?$' | note note 'Marked as unfinished'
added "$any" '.*(@ts-(ignore|nocheck|expect-error)|eslint-disable|oxlint-disable|biome-ignore|# ?noqa|# ?type: ?ignore|pylint: ?disable|// ?nolint|#!?\[allow\(|@SuppressWarnings|rubocop:disable|NOSONAR)' | note note 'Check switched off for a line or file'
grep -E -v "^$generated$tab" "$work/long" | awk -F '\t' '{ print $1 "\t" $2 "\t\t" $3 " characters" }' | note note 'Very long line'
awk -F '\t' '$3 > 500 { print $5 "\t\t\t" $3 " lines added" }' "$work/files" | grep -E -v "^$generated$tab" | note note 'Large change in one file'
awk -F '\t' '$8 == 1 { print $5 "\t\t\tcannot be reviewed as text" }' "$work/files" | note note 'Binary file'
awk -F '\t' '{ print $1 "\t" $2 "\t\t" }' "$work/unended" | note note 'No newline at the end of the file'
awk -F '\t' '$2 == "combined" { print $5 "\t\t\tdiff of a merge: its lines were not read" }' "$work/files" | note note 'Not read'
awk -F '\t' '{ print $1 "\t" $2 "\t\tthe hunk ends before it should: the diff was cut or edited" }' "$work/torn" | note warning 'Not read'
unread=$(grep -c '' "$work/marked")
unread=$((unread - suspects))
[ "$unread" -le 0 ] || printf '\t\t\t%s\n' "$unread added lines with a suspicious word, beyond the first $suspects: split the diff" | note warning 'Not read'

# just-bash runs this too: no "next" and no "continue", after which its awk loses what a function answers.
cat "$work/files" "$findings" | awk -F '\t' -v room=29000 -v rows=60 '
  function many(n, one, more) { return n " " (n == 1 ? one : more) }
  # Text as a code span that it cannot leave.
  function code(text, most,   fence) {
    gsub(/[[:cntrl:]]+/, " ", text)
    sub(/^ +/, "", text)
    sub(/ +$/, "", text)
    if (length(text) > most) text = substr(text, 1, most - 1) "…"
    fence = "`"
    while (index(text, fence)) fence = fence "`"
    if (text ~ /^`/ || text ~ /`$/) text = " " text " "
    return fence text fence
  }
  # The same in a table, where a bar would end the cell.
  function cell(text) { text = code(text, 120); gsub(/\|/, "\\\\&", text); return text }
  function add(text) {
    if (length(out) + length(text) <= room) out = out text
    else cut++
  }
  $1 == "F" {
    n++
    plus += $3
    minus += $4
    about = $2
    if ($6 != "") about = about " from " cell($6)
    if ($8 == 1) about = about ", binary"
    if ($7 != "") about = about ", " $7
    row[n] = "| " cell($5) " | " $3 " | " $4 " | " about " |\n"
  }
  $1 != "F" {
    f++
    level[f] = $1
    title[f] = $2
    amount[f] = $3
    place = $4
    if ($5 != "") place = place ":" $5
    if (place != "") place = code(place, 140)
    text = $6
    # What a check says itself is in the field behind the text of the line.
    says = $7
    if (text != "") says = code(text, 80)
    if (place != "" && says != "") place = place ": "
    item[f] = "- " place says "\n"
    if (title[f] != title[f - 1] || level[f] != level[f - 1]) total[$1] += $3
  }
  END {
    out = "# Review report\n\n"
    if (total["blocker"]) verdict = "blocked. Do not merge before the blockers are explained or gone"
    else if (total["warning"]) verdict = "needs a look. Each warning wants a reason or a fix"
    else verdict = "nothing risky found by these checks"
    add("**Verdict: " verdict ".** " many(total["blocker"] + 0, "blocker", "blockers") ", " many(total["warning"] + 0, "warning", "warnings") ", " many(total["note"] + 0, "note", "notes") ".\n\n")
    add("## Files\n\n" many(n, "file", "files") ", " many(plus, "line", "lines") " added, " minus " removed.\n\n| file | added | removed | |\n|---|---:|---:|---|\n")
    for (k = 1; k <= n && k <= rows; k++) add(row[k])
    if (n > rows) add("\nand " (n - rows) " more files.\n")
    split("blocker warning note", levels, " ")
    split("Blockers Warnings Notes", heads, " ")
    for (l = 1; l <= 3; l++) {
      if (total[levels[l]]) add("\n## " heads[l] "\n")
      before = ""
      for (k = 1; k <= f; k++) {
        if (level[k] == levels[l]) {
          if (title[k] != before) {
            add("\n**" title[k] "** (" amount[k] ")\n\n")
            before = title[k]
            shown = 0
          }
          add(item[k])
          shown++
          if (shown == 8 && amount[k] > 8) add("- … and " (amount[k] - 8) " more\n")
        }
      }
    }
    if (cut) out = out "\n" many(cut, "line", "lines") " of this report left out: it would be too long.\n"
    printf "%s\nThese checks read added lines one by one. They know nothing of what the change is for, and whether it does it.\n", out
  }
'
