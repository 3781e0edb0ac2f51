import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { MODEL_LIMITS } from '../core/limits.ts';
import { FaultError } from './fault.ts';
import type { ModelDelta } from './model.ts';

type Options = Record<string, Record<string, unknown>>;

/** One block of a message, whole: what its deltas said, in the order that blocks began. */
export type Block =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly options: Options | null }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: string;
      readonly options: Options | null;
    };

export interface Collected {
  readonly blocks: readonly Block[];
  readonly finish: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  readonly pieces: string[];
  options: Options | null;
}

/** Puts a message together from what a provider streams. */
export class Collector {
  readonly #blocks: (OpenBlock | Extract<Block, { type: 'call' }>)[] = [];
  readonly #open = new Map<string, OpenBlock>();
  readonly #tell: (delta: ModelDelta) => void;
  #characters = 0;
  #calls = 0;
  #end: Pick<Collected, 'finish' | 'usage'> | null = null;

  constructor(tell: (delta: ModelDelta) => void) {
    this.#tell = tell;
  }

  /** @throws what the provider reports as an error; `FaultError` for a message over its bounds. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
        return;
      case 'text-delta':
      case 'reasoning-delta':
        this.#continue(part);
        return;
      case 'text-end':
      case 'reasoning-end':
        this.#learn(this.#open.get(`${part.type.slice(0, -4)} ${part.id}`), part.providerMetadata);
        return;
      case 'tool-input-start':
        this.#count(part.toolName.length);
        this.#tell({ kind: 'call', id: part.id, tool: part.toolName });
        return;
      case 'tool-input-delta':
        this.#count(part.delta.length);
        return;
      case 'tool-call':
        this.#call(part);
        return;
      case 'finish':
        this.#end ??= { finish: part.finishReason, usage: part.usage };
        return;
      case 'error':
        throw part.error;
      default:
      // Sources, files and what else a provider adds are not asked for.
    }
  }

  /** What the provider counted, where it came so far. */
  get usage(): LanguageModelV4Usage | null {
    return this.#end?.usage ?? null;
  }

  /** @throws FaultError where the stream stopped before the message did. */
  whole(): Collected {
    if (this.#end === null || this.#end.finish.unified === 'interrupted') {
      throw new FaultError('model_output_invalid', 'the answer broke off', true);
    }
    if (this.#end.finish.unified === 'error') {
      throw new FaultError('model_output_invalid', 'the provider broke the answer off', true);
    }
    const blocks = this.#blocks.map((block): Block =>
      block.type === 'call'
        ? block
        : { type: block.type, text: block.pieces.join('').toWellFormed(), options: block.options },
    );
    return { blocks, ...this.#end };
  }

  #begin(type: OpenBlock['type'], id: string, metadata: Options | undefined): OpenBlock {
    const block: OpenBlock = { type, pieces: [], options: metadata ?? null };
    this.#blocks.push(block);
    this.#open.set(`${type} ${id}`, block);
    return block;
  }

  #continue(part: Extract<LanguageModelV4StreamPart, { type: 'text-delta' | 'reasoning-delta' }>): void {
    const type = part.type === 'text-delta' ? 'text' : 'reasoning';
    const block = this.#open.get(`${type} ${part.id}`) ?? this.#begin(type, part.id, undefined);
    this.#count(part.delta.length);
    block.pieces.push(part.delta);
    this.#learn(block, part.providerMetadata);
    if (part.delta !== '') this.#tell({ kind: type === 'text' ? 'text' : 'thought', text: part.delta });
  }

  /** What a provider says of a block may come with any of its parts: a thought's signature comes last. */
  #learn(block: OpenBlock | undefined, metadata: Options | undefined): void {
    if (block === undefined || metadata === undefined) return;
    const known = block.options ?? {};
    const merged = Object.entries(metadata).map(([name, value]) => [name, { ...known[name], ...value }]);
    block.options = { ...known, ...Object.fromEntries(merged) };
  }

  #call(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): void {
    this.#calls += 1;
    if (this.#calls > MODEL_LIMITS.calls) {
      throw new FaultError('model_output_invalid', `more than ${MODEL_LIMITS.calls} calls at once`, false);
    }
    const { toolCallId: id, toolName: tool, input, providerMetadata } = part;
    this.#blocks.push({ type: 'call', id, tool, input, options: providerMetadata ?? null });
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MODEL_LIMITS.messageCharacters) {
      const limit = MODEL_LIMITS.messageCharacters;
      throw new FaultError('model_output_invalid', `a message of more than ${limit} characters`, false);
    }
  }
}
