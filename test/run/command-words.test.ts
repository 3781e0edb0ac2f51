import { expect, test } from 'vitest';
import { missingCommands } from '../../src/run/command-words.ts';

const HAS = ['cat', 'grep', 'ls', 'sort', 'xargs', 'jq', 'true'];

const cases: [script: string, missing: string[]][] = [
  ['cat a | grep b && ls; sort c', []],
  ['docker ps', ['docker']],
  ['cat a | docker load && git status; npm test &', ['docker', 'git', 'npm']],
  ['X=1 docker ps', ['docker']],
  ['X=$(git log | sort) && echo "$(npm view)"', ['git', 'npm']],
  ['cat <(git log)', ['git']],
  ['for f in docker git; do cat "$f"; done', []],
  ['for f in *; do docker "$f"; done', ['docker']],
  ['while read -r line; do echo "$line"; done < file', []],
  ['if [ -f x ]; then docker x; elif [[ -d y ]]; then git y; else npm z; fi', ['docker', 'git', 'npm']],
  ['case "$1" in docker) cat x ;; *) git y ;; esac', ['git']],
  ['build() { cat x; }\nbuild && build', []],
  ['function build { docker x; }\nbuild', ['docker']],
  ['cat <<EOF\ndocker ps\nEOF', []],
  ["cat <<'EOF' > script.sh\ngit status\nEOF", []],
  ['echo "docker ps" \'git log\' # npm test', []],
  ['! docker ps', ['docker']],
  ['( cd x && docker ps )', ['docker']],
  ['set -euo pipefail\nexport A=1\nlocal b; trap "x" EXIT', []],
  ['((i++)); [[ $a == b ]] && echo yes', []],
  // Where the text alone does not tell, nothing is said.
  ['$TOOL --version; "$(which x)" y', []],
  ['./scripts/run.sh; /opt/tool x; $SKILL_DIR/scripts/y', []],
  ['source ./env.sh; docker ps', []],
  ['. ./env.sh && docker ps', []],
  ['eval "$(x)"; docker ps', []],
  ['PATH="$SKILL_DIR/bin:$PATH"; tool x', []],
  ['command -v docker >/dev/null && docker ps', []],
  ['if type git >/dev/null 2>&1; then git log; fi', []],
  ['docker ps || echo none', []],
  ['docker ps || echo none; docker images', ['docker']],
  ['if then fi (', []],
  ['', []],
];

test.each(cases)('%s', async (script, missing) => {
  expect(await missingCommands(script, HAS)).toEqual(missing);
});
