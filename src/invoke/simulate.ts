import type { Json } from '../core/canonical-json.ts';
import { compileRules, type Decision } from '../policy/decide.ts';
import { rulesInForce } from '../policy/in-force.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { findNamesakes, type FoundSkill } from '../view/find-skill.ts';
import { pageSkills } from '../view/listing/page-skills.ts';
import type { BlobStore } from '../view/ports.ts';
import { REPORT } from '../view/read-skill.ts';
import type { View } from '../view/view.ts';
import { decideTool, decisionOf, type Trigger } from './decide-skill.ts';
import { normaliseSkillName } from './skill-name.ts';

/** Rules that would be there, and rules that would not; one to take away is named by what it says, and perhaps by its layer. */
export interface Proposal {
  readonly add: readonly PolicyRule[];
  readonly remove: readonly (Pick<PolicyRule, 'effect' | 'pattern'> & {
    readonly layer?: PolicyRule['layer'] | undefined;
  })[];
}

export interface SimulatedSubjects {
  /** Null: all of the view, page by page; an empty list: none. */
  readonly skills: readonly string[] | null;
  readonly tools: readonly { readonly tool: string; readonly input: Json }[];
  readonly trigger: Trigger;
  /** Of the page of skills; empty for the first. */
  readonly after: string;
}

type Outcome = Pick<Decision, 'decision' | 'reason' | 'matchedRule' | 'layer'>;

export type SimulatedChange = { readonly before: Outcome; readonly after: Outcome } & (
  | { readonly skill: string; readonly layer: string; readonly revision: string }
  | { readonly tool: string; readonly input: Json }
);

export interface Simulation {
  /** Subjects for which the decision, or the rule that makes it, would be another. */
  readonly changes: readonly SimulatedChange[];
  /** How many were looked at. */
  readonly examined: number;
  readonly unknown: readonly string[];
  /** Rules to take away that are not there. */
  readonly unmatched: Proposal['remove'];
  /** Give it back as `cursor` for the next page of skills; null at the end. */
  readonly next: string | null;
}

/**
 * What would be decided otherwise under proposed rules; null where a part of the catalog cannot be read. Nothing is stored,
 * and nobody is asked.
 */
export async function simulate(
  blobs: BlobStore,
  view: View,
  proposal: Proposal,
  { skills, tools, trigger, after }: SimulatedSubjects,
): Promise<Simulation | null> {
  const { proposed, unmatched } = propose(view, proposal);
  const page = skills === null ? await pageSkills(blobs, view, after) : null;
  if (skills === null && page === null) return null;
  const names = page?.skills.map(({ name }) => name) ?? skills ?? [];
  const found = await findNamesakes(blobs, view, names.map(plainName));
  const known = found.flatMap(([first]) => (first ? [first] : []));
  const wanted = known.map(({ layer, entry }) => ({ space: layer.space, digest: entry.report }));
  const reports = await blobs.readDocuments(wanted, REPORT);
  const changes: SimulatedChange[] = [];
  for (const [index, skill] of known.entries()) {
    const report = reports[index];
    if (!report) return null;
    const decide = (seen: View) => decisionOf(seen, skill, { report }, { trigger });
    const change = compare(decide(view), decide(proposed));
    if (change) changes.push({ ...nameOf(skill), ...change });
  }
  for (const { tool, input } of tools) {
    const decide = (seen: View) => decideTool(seen, tool, input).decision;
    const change = compare(decide(view), decide(proposed));
    if (change) changes.push({ tool, input, ...change });
  }
  return {
    changes,
    examined: known.length + tools.length,
    unknown: names.filter((_, index) => found[index]?.[0] === undefined),
    unmatched,
    next: page?.next ?? null,
  };
}

function propose(
  view: View,
  { add, remove }: Proposal,
): { readonly proposed: View; readonly unmatched: Proposal['remove'] } {
  const names = (wanted: Proposal['remove'][number], rule: PolicyRule): boolean =>
    wanted.effect === rule.effect &&
    wanted.pattern === rule.pattern &&
    (wanted.layer === undefined || wanted.layer === rule.layer);
  const kept = view.rules.filter((rule) => !remove.some((wanted) => names(wanted, rule)));
  // What would have ended by now would count for nothing.
  const { rules } = rulesInForce([...kept, ...add], Date.now());
  return {
    proposed: { ...view, rules, compiledRules: compileRules(rules) },
    unmatched: remove.filter((wanted) => !view.rules.some((rule) => names(wanted, rule))),
  };
}

function compare(before: Decision, after: Decision): { before: Outcome; after: Outcome } | null {
  const same =
    before.decision === after.decision &&
    before.matchedRule === after.matchedRule &&
    before.layer === after.layer;
  return same ? null : { before: outcomeOf(before), after: outcomeOf(after) };
}

function outcomeOf({ decision, reason, matchedRule, layer }: Decision): Outcome {
  return { decision, reason, matchedRule, layer };
}

function nameOf({ layer, entry }: FoundSkill): { skill: string; layer: string; revision: string } {
  return { skill: entry.name, layer: layer.layer, revision: entry.revision };
}

/** What is no name of a skill is not found. */
function plainName(text: string): string {
  const name = normaliseSkillName(text);
  return name.ok ? name.value : '';
}
