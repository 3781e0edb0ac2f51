import { type Fence, fencesOf } from '../text/fences.ts';
import { CodeModel, countBelow } from './code-model.ts';
import { fenceSyntax } from './file-kind.ts';
import {
  lineAbove,
  lineAfter,
  lineBefore,
  type Place,
  sentenceBefore,
  type TextModel,
  type Zone,
} from './place.ts';

/** Headings above a place that say something of it, and how many lines with a `#` are looked at to find them. */
const HEADINGS = 2;
const HEADING_TRIES = 12;
/** How far above they are looked for. */
const HEADING_REACH = 8_000;

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n/;

/** A Markdown text as an agent reads it. */
export class MarkdownModel implements TextModel {
  readonly #text: string;
  readonly #bodyStart: number;
  readonly #fences: readonly Fence[];
  readonly #fenceStarts: readonly number[];
  readonly #comments: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#bodyStart = frontmatterEnd(text);
    this.#fences = fencesOf(text, 'any');
    this.#fenceStarts = this.#fences.map(({ start }) => start);
    this.#comments = commentEdges(text);
  }

  placeOf(start: number, end: number): Place {
    const text = this.#text;
    const headings = this.#headingsAbove(start);
    const after = lineAfter(text, end);
    const fence = this.#fenceAt(start);
    if (fence && start >= fence.contentStart) {
      const syntax = fenceSyntax(fence.language);
      const inside = new CodeModel(
        text.slice(fence.contentStart, Math.min(fence.contentEnd, end)),
        syntax ?? 'hash',
      );
      const place = inside.placeOf(start - fence.contentStart, end - fence.contentStart);
      const zone = syntax === null ? 'sample' : place.zone === 'code' ? 'block' : place.zone;
      const lead =
        place.lead === '' ? lineAbove(text, fence.start) : `${lineAbove(text, fence.start)}\n${place.lead}`;
      return { ...place, zone, after, lead, headings };
    }
    const zone = this.#zoneOf(start);
    return {
      zone,
      before: sentenceBefore(text, start, this.#bodyStart > start ? 0 : this.#bodyStart),
      after,
      lead: '',
      headings,
    };
  }

  #fenceAt(offset: number): Fence | null {
    const fence = this.#fences[countBelow(this.#fenceStarts, offset + 1) - 1];
    return fence && offset < fence.end ? fence : null;
  }

  #zoneOf(start: number): Zone {
    if (start < this.#bodyStart) return 'frontmatter';
    if (countBelow(this.#comments, start) % 2 === 1) return 'hidden';
    const line = lineBefore(this.#text, start);
    if (/^\s*#{1,6}\s/.test(line)) return 'heading';
    if (/^\s*>/.test(line)) return 'quote';
    if ((line.match(/`/g)?.length ?? 0) % 2 === 1) return 'span';
    return /^\s*\|/.test(line) ? 'table' : 'prose';
  }

  #headingsAbove(offset: number): string[] {
    const found: string[] = [];
    const least = Math.max(0, offset - HEADING_REACH);
    const near = this.#text.slice(least, offset);
    let at = offset;
    let level = 7;
    for (let tries = 0; tries < HEADING_TRIES && found.length < HEADINGS; tries += 1) {
      at = near.lastIndexOf('\n#', at - least - 1) + least;
      if (at < least) break;
      if (this.#fenceAt(at + 1)) continue;
      const [, marks = '', title = ''] =
        /^(#{1,6})\s+(.{0,160})/.exec(this.#text.slice(at + 1, at + 200)) ?? [];
      if (marks === '' || marks.length >= level) continue;
      level = marks.length;
      found.push(title);
    }
    return found;
  }
}

/** Where the frontmatter ends; 0 where there is none. */
function frontmatterEnd(text: string): number {
  if (!FRONTMATTER.test(text.slice(0, 80))) return 0;
  const close = /\n---[ \t]*\r?(?:\n|$)/g;
  close.lastIndex = 3;
  const match = close.exec(text);
  return match ? match.index + match[0].length : 0;
}

/** Beginnings and ends of HTML comments, in turn. One that is never closed goes on to the end. */
function commentEdges(text: string): number[] {
  const edges: number[] = [];
  for (let at = text.indexOf('<!--'); at !== -1; at = text.indexOf('<!--', at)) {
    const close = text.indexOf('-->', at + 4);
    edges.push(at);
    if (close === -1) break;
    edges.push(close);
    at = close;
  }
  return edges;
}
