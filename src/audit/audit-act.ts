import { z } from 'zod';
import { DigestSchema } from '../catalog/revision.ts';
import { AUDIT_LIMITS } from '../core/limits.ts';

/** Who did it: the label of the token, and of what organisation, since several may share a log's layer. */
export const AuditActor = z.strictObject({
  organisation: z.string().max(AUDIT_LIMITS.nameCharacters),
  label: z.string().max(AUDIT_LIMITS.nameCharacters),
  kind: z.enum(['person', 'service', 'agent']),
});
export type AuditActor = z.infer<typeof AuditActor>;

/** A name of a skill, a layer, a setting or a rule: chosen by people with a say in the organisation, and cut. */
const Name = z.string().max(AUDIT_LIMITS.nameCharacters);
/** One of a few words of ours, such as the code of a reason. */
const Code = z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/);
const Count = z.int().nonnegative();

/** The first names in order, and how many there are. */
export const AuditNames = z.strictObject({
  count: Count,
  names: z.array(Name).max(AUDIT_LIMITS.names),
});
export type AuditNames = z.infer<typeof AuditNames>;

/** Another digest where the value is another one; null where there is none. */
const ChangedSetting = z.strictObject({
  key: Name,
  before: DigestSchema.nullable(),
  after: DigestSchema.nullable(),
});
export type ChangedSetting = z.infer<typeof ChangedSetting>;

/**
 * Everything that a log can tell. Names, digests, codes and counts, and no other text: what a skill says, what a request
 * was called with and what a setting is worth are nobody's business here.
 */
export const AuditAct = z.discriminatedUnion('act', [
  /** A layer shows other skills from now on. The subject is the layer. */
  z.strictObject({
    act: z.literal('head_moved'),
    subject: Name,
    details: z.strictObject({
      sequence: Count,
      before: DigestSchema.nullable(),
      after: DigestSchema,
      skills: Count,
      added: AuditNames,
      changed: AuditNames,
      removed: AuditNames,
      /** Of these, what somebody let in against the warnings of a scan. */
      forced: AuditNames.exactOptional(),
    }),
  }),
  z.strictObject({
    act: z.literal('settings_changed'),
    subject: z.literal('settings'),
    details: z.strictObject({ revision: Count, changed: z.array(ChangedSetting) }),
  }),
  /** Other rules hold for a layer, which is the subject: how many, and the digests of all of them together. */
  z.strictObject({
    act: z.literal('policy_changed'),
    subject: Name,
    details: z.strictObject({ revision: Count, rules: Count, before: DigestSchema, after: DigestSchema }),
  }),
  /** Rules that hold in a session, which is the subject: how many were added, of these how many that allow, and taken away. */
  z.strictObject({
    act: z.literal('session_rules_changed'),
    subject: Name,
    details: z.strictObject({ added: Count, allowing: Count, removed: Count, endedTurn: z.boolean() }),
  }),
  /** A key for others was written, replaced or removed. The subject is its name. */
  z.strictObject({
    act: z.literal('secret_changed'),
    subject: Name,
    details: z.strictObject({ change: z.enum(['put', 'removed']) }),
  }),
  /** A person's answer. The subject is the id of the question. */
  z.strictObject({
    act: z.literal('approval_decided'),
    subject: Name,
    details: z.strictObject({
      decision: z.enum(['approved', 'denied']),
      duration: Code,
      skill: Name,
      layer: Name,
      revision: Name,
    }),
  }),
  /** Skills were not published, and wait for a person. The subject is the layer that they were for. */
  z.strictObject({
    act: z.literal('skills_held'),
    subject: Name,
    details: z.strictObject({ skills: AuditNames, dangerous: Count, unseen: Count }),
  }),
  /** Somebody decided about a skill that was held. The subject is its id. */
  z.strictObject({
    act: z.literal('held_skill_judged'),
    subject: Name,
    details: z.strictObject({
      decision: z.enum(['accepted', 'rejected']),
      skill: Name,
      layer: Name,
      revision: DigestSchema,
      verdict: Code,
    }),
  }),
  /** The subject is the id of the run, here and below. Of tools there are counts: their patterns can have arguments in them. */
  z.strictObject({
    act: z.literal('run_started'),
    subject: Name,
    details: z.strictObject({
      skill: Name,
      layer: Name,
      revision: DigestSchema,
      engine: Code,
      tools: z.strictObject({ declared: Count, granted: Count, missing: Count }),
    }),
  }),
  /** A person answered what a run asked about one of its calls, or nobody did until it was too late. */
  z.strictObject({
    act: z.literal('run_call_decided'),
    subject: Name,
    details: z.strictObject({
      decision: z.enum(['approved', 'denied', 'unanswered']),
      step: Count,
      tool: Name,
      /** What the run works for; of a call that uses another skill, that one. */
      skill: Name,
      layer: Name,
      revision: DigestSchema,
    }),
  }),
  /** A rule, or what was not granted, kept a run from using a tool: the first time of each tool. */
  z.strictObject({
    act: z.literal('run_call_denied'),
    subject: Name,
    details: z.strictObject({ tool: Name, skill: Name, layer: Name, revision: DigestSchema }),
  }),
  z.strictObject({
    act: z.literal('run_ended'),
    subject: Name,
    details: z.strictObject({ skill: Name, layer: Name, status: Code, stopReason: Code }),
  }),
  /** Somebody wanted to use a skill and was stopped. The subject is the skill, behind its layer. */
  z.strictObject({
    act: z.literal('skill_denied'),
    subject: Name,
    details: z.strictObject({
      revision: DigestSchema,
      code: Code,
      reason: Code,
      /** Null where no rule decided, and where it came with a request. */
      rule: Name.nullable(),
      ruleLayer: Code.nullable(),
      /** Denials since the one before in this log that were too many, or too much alike, to have a record. */
      unrecorded: Count,
    }),
  }),
  /** The oldest records were dropped. What is left begins behind `through`, and is chained to its digest. */
  z.strictObject({
    act: z.literal('log_trimmed'),
    subject: z.literal('audit'),
    details: z.strictObject({
      space: Name,
      through: Count,
      digest: DigestSchema,
      dropped: Count,
    }),
  }),
]);
export type AuditAct = z.infer<typeof AuditAct>;

/** What happened outside of the object that keeps the log. Told at least once, and recorded once. */
export const AuditReport = z.strictObject({
  /** The same for the same thing. */
  key: z.string().min(1).max(AUDIT_LIMITS.nameCharacters),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** How often it happened by now. */
  times: z.int().positive(),
  actor: AuditActor,
  act: AuditAct,
});
export type AuditReport = z.infer<typeof AuditReport>;

/** Text as a log keeps it: cut, and well formed. */
export function auditName(text: string): string {
  return text.slice(0, AUDIT_LIMITS.nameCharacters).toWellFormed();
}

export function auditNames(names: readonly string[]): AuditNames {
  return { count: names.length, names: names.slice(0, AUDIT_LIMITS.names).map(auditName) };
}
