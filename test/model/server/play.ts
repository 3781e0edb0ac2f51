/** What the model behind the test servers says next, in neither wire format. */
export interface Answer {
  readonly thought?: string;
  readonly text?: string;
  /** `input` is sent as it is, JSON or not. */
  readonly calls?: readonly { readonly id?: string; readonly tool: string; readonly input: string }[];
  readonly stop: 'end' | 'tools' | 'length' | 'refusal';
  /** How the answer goes wrong on its way. */
  readonly trouble?: 'closed' | 'ended' | 'drip' | 'hang' | 'mute' | 'garbage' | 'overloaded';
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A conversation so far, as both wire formats have it. */
export interface Scene {
  readonly model: string;
  readonly prompt: string;
  /** Texts of the tools' answers. */
  readonly results: readonly string[];
  readonly key: string;
  /** How often this key asked before. */
  readonly askedBefore: number;
}

/** The models by name: each plays one part, the same for both servers. */
export function play(scene: Scene): Answer | Refusal {
  const { model, results, askedBefore } = scene;
  switch (model) {
    case 'steps':
      return nextStep(scene);
    case 'hello':
      return { text: 'Hello, world.', stop: 'end' };
    case 'pair':
      return results.length === 0
        ? { text: 'Both at once.', calls: [bash('echo one'), bash('echo two')], stop: 'tools' }
        : { text: results.map((result) => result.trim()).join(' and '), stop: 'end' };
    case 'thinks':
      return results.length === 0
        ? { thought: 'First I look.', text: 'Looking.', calls: [bash('ls')], stop: 'tools' }
        : { text: `Seen: ${results.join()}`, stop: 'end' };
    case 'same-ids':
      return results.length < 2
        ? { calls: [{ ...bash(`echo ${results.length}`), id: 'call_0' }], stop: 'tools' }
        : { text: 'done', stop: 'end' };
    case 'empty':
      return { stop: 'end' };
    case 'cut-text':
      return { text: 'This sentence has no', stop: 'length' };
    case 'cut-call':
      return { calls: [{ tool: 'Bash', input: '{"command": "echo al' }], stop: 'length' };
    case 'bad-json':
      return { calls: [{ tool: 'Bash', input: '{"command": echo}' }], stop: 'tools' };
    case 'no-object':
      return { calls: [{ tool: 'Bash', input: '"echo"' }], stop: 'tools' };
    case 'deep':
      return {
        calls: [{ tool: 'Bash', input: `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}` }],
        stop: 'tools',
      };
    case 'unknown-tool':
      return { calls: [{ tool: 'Teleport', input: '{"to": "Mars"}' }], stop: 'tools' };
    case 'strange-tool':
      return { calls: [{ tool: 'rm -rf /; #', input: '{}' }], stop: 'tools' };
    case 'many-calls':
      return { calls: Array.from({ length: 65 }, () => bash('true')), stop: 'tools' };
    case 'refuses':
      return { text: 'I will not.', stop: 'refusal' };
    case 'huge':
      return { text: 'x'.repeat(5 * 1024 * 1024), stop: 'end' };
    case 'writes-much':
      return { calls: [{ tool: 'Write', input: muchToWrite() }], stop: 'tools' };
    case 'closed':
    case 'ended':
    case 'drip':
    case 'hang':
    case 'mute':
    case 'garbage':
      return { text: 'This never arrives as a whole.', stop: 'end', trouble: model };
    case 'overloaded-inside':
      return askedBefore === 0
        ? { text: 'Almost', stop: 'end', trouble: 'overloaded' }
        : { text: 'Now.', stop: 'end' };
    case 'closed-once':
      return askedBefore === 0
        ? { text: 'Almost', stop: 'end', trouble: 'closed' }
        : { text: 'Now.', stop: 'end' };
    case 'busy-twice':
      return askedBefore < 2
        ? { status: askedBefore === 0 ? 429 : 503, message: 'busy', headers: { 'retry-after-ms': '30' } }
        : { text: 'Third time.', stop: 'end' };
    case 'busy-for-an-hour':
      return { status: 429, message: 'come back later', headers: { 'retry-after': '3600' } };
    case 'down':
      return { status: 529, message: 'Overloaded' };
    case 'moved':
      return { status: 307, message: 'moved', headers: { location: 'https://example.com/' } };
    case 'too-long':
      return { status: 400, message: 'prompt is too long: 300000 tokens > 200000 maximum' };
    case 'repeats-key':
      return { status: 400, message: `the key ${scene.key} looks odd` };
    default:
      return { status: 404, message: `model: ${model}` };
  }
}

/** Does with the fenced blocks of the prompt what a good model does: one after the other, then says what came out. */
function nextStep({ prompt, results }: Scene): Answer {
  const steps = [...prompt.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map((match) => (match[1] ?? '').trimEnd());
  const step = steps[results.length];
  if (step === undefined) return { text: results.at(-1) ?? 'There is nothing to do.', stop: 'end' };
  return { text: `Step ${results.length + 1}.`, calls: [bash(step)], stop: 'tools' };
}

function bash(command: string): { tool: string; input: string } {
  return { tool: 'Bash', input: JSON.stringify({ command }) };
}

/** 50 MB. */
function muchToWrite(): string {
  return JSON.stringify({ file_path: 'much.txt', content: 'x'.repeat(50 * 1024 * 1024) });
}
