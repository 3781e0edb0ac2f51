import { describe, expect, it } from 'vitest';
import { skillTool } from '../../src/listing/tool-definitions.ts';

const names = (names: readonly string[] | null) => skillTool(names).input_schema.properties['skill']?.enum;
const many = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => String(at).padEnd(length, 'x'));

describe('the tool that starts a skill', () => {
  it('says when to call it, and when not', () => {
    const { description } = skillTool(null);
    expect(description).toMatch(/before any answer/);
    expect(description).toMatch(/Never say that a skill exists/);
    expect(description).toMatch(/already runs/);
  });

  it('has an enum of names where it is small, and all of it can be seen', () => {
    expect(names(['a', 'b:c', 'd/e'])).toEqual(['a', 'b:c', 'd/e']);
    expect(names(many(100, 10))).toHaveLength(100);
    expect(names(many(101, 10))).toBeUndefined();
    expect(names(many(60, 100))).toBeUndefined();
    expect(names(['a', 'b\u202e'])).toBeUndefined();
    expect(names(['a', '<b>'])).toBeUndefined();
    expect(names([])).toBeUndefined();
    expect(names(null)).toBeUndefined();
  });
});
