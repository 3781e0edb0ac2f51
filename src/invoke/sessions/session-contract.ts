import { z } from 'zod';
import { Layer } from '../../catalog/layers.ts';
import type { Trust } from '../../catalog/provenance.ts';
import { DigestSchema } from '../../catalog/revision.ts';
import { SESSION_LIMITS } from '../../core/limits.ts';
import type { Result } from '../../core/result.ts';
import type { Hooks } from '../../format/fields/hook-schema.ts';
import { PolicyRule } from '../../policy/rule.ts';
import type { SessionRule } from '../../policy/written-rule.ts';
import type { Message } from '../../prompt/inline-messages.ts';
import type { ListingWishes } from '../../view/listing/list-skills.ts';
import type { NewSkills } from '../../view/listing/list-new-skills.ts';
import { HostInventory } from '../../view/listing/host-inventory.ts';
import type { MissingRequirement, PreflightQuestion } from '../../view/listing/missing-requirements.ts';
import { SkillStates } from '../../view/settings/skill-states.ts';
import type { Surroundings } from '../../view/surroundings.ts';
import { Head } from '../../view/view-record.ts';
import type { HookCall } from '../../hook/hook-contract.ts';

/** What the host of a session is; a request can say it again, and better. */
export const SessionHost = z.strictObject({
  platform: z.string().nullable(),
  product: z.string().nullable(),
  /** Where the project lies for the host, so that absolute paths can be told to be in it. */
  projectDirectory: z.string().nullable(),
  /** Whether it can run the commands of a skill, where a call does not say who should. */
  shell: z.boolean().default(false),
  has: HostInventory.default({}),
  /** Names of its own commands, without the `/`: they are no skills. */
  commands: z.array(z.string()).default([]),
});
export type SessionHost = z.infer<typeof SessionHost>;

/** A layer with the catalog that a session stands at, whatever is published meanwhile. */
export const Pin = z.strictObject({ layer: Layer, head: Head });
export type Pin = z.infer<typeof Pin>;

/** Everything that a session is created with. */
export const SessionStart = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  organisation: z.string(),
  /** Layers that the creating token was bound to; only such a token, or an unbound one, uses the session. */
  boundTo: z.array(Layer).nullable(),
  startedBy: z.string(),
  /** All that the session may see, published or not: a refresh may find what is not there yet. */
  layers: z.array(Layer),
  pins: z.array(Pin),
  states: SkillStates,
  host: SessionHost,
  idleMinutes: z.int().min(1).max(SESSION_LIMITS.longestIdleMinutes),
  /** Digest of the request, so that one idempotency key cannot stand for two different ones. */
  fingerprint: DigestSchema,
});
export type SessionStart = z.infer<typeof SessionStart>;

/** A session, and who asks for it. */
export interface SessionAddress {
  readonly organisation: string;
  readonly id: string;
  readonly boundTo: readonly Layer[] | null;
}

export interface SessionView {
  readonly id: string;
  readonly startedBy: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** Unless it is used before. */
  readonly expiresAt: string;
  readonly layers: readonly Layer[];
  /** Pinned catalogs by layer. */
  readonly catalogs: Readonly<Record<string, string>>;
  readonly host: SessionHost & HostState;
  readonly rules: readonly KeptRule[];
  readonly agents: readonly {
    readonly agent: string;
    /** The number of its last listing, to be given back as `after`. */
    readonly sequence: number;
    /** Names that were listed to it, and what of its budget they took, in characters. */
    readonly skillCount: number;
    readonly spent: number;
    readonly activated: readonly string[];
    /** The newest first. */
    readonly invoked: readonly {
      readonly skill: string;
      readonly layer: Layer;
      readonly revision: string;
      readonly at: string;
      /** Of the turn that began then. */
      readonly grants: readonly string[];
    }[];
    /** In the order in which they fire. */
    readonly hooks: readonly {
      readonly hook: string;
      readonly event: string;
      readonly matcher: string | null;
      readonly type: string;
      readonly once: boolean;
      readonly skill: string;
      readonly layer: Layer;
    }[];
  }[];
}

/** What a host says of itself in the course of a session. */
export interface HostState {
  readonly has: HostInventory;
  /** True where it goes on without what is missing, and is not to be asked again. */
  readonly declined: boolean;
}

/** How a write says which answer it has already: the number of the listing before, or a key of its own. */
export interface Repeatable {
  readonly idempotencyKey: string | null;
}

export interface ListCall extends Repeatable {
  readonly agent: string;
  readonly surroundings: Surroundings;
  readonly contextWindow: number | null;
  readonly wishes: Omit<ListingWishes, 'activated' | 'has'>;
  readonly states: SkillStates;
  /** The number of the last listing that arrived; null: all did. */
  readonly after: number | null;
  /** Stand at the catalogs of now before anything is listed. */
  readonly refresh: boolean;
}

export interface SessionListing extends Omit<NewSkills, 'shown' | 'missing'> {
  readonly session: string;
  readonly agent: string;
  readonly sequence: number;
  /** True for the first listing of an agent, the first after a compaction, and where the count was lost. */
  readonly isInitial: boolean;
  /** Names that are listed to this agent now. */
  readonly skillCount: number;
  /** In characters, all listings of this agent together. */
  readonly spent: number;
  /** The snapshot of uses that ranked it. */
  readonly usage: { readonly snapshot: string } | null;
  readonly catalogs: Readonly<Record<string, string>>;
  /** Where the host is asked for what is missing: once in a session for each thing. */
  readonly preflight?: PreflightQuestion;
}

/** What changed for the host; kinds that are not named stay as they were. */
export interface HostCall extends Repeatable {
  readonly has: HostInventory;
  /** Null: as before. */
  readonly declined: boolean | null;
}

/** A rule of a session, with the id by which it is taken away again. */
export const KeptRule = PolicyRule.extend({ id: z.string() });
export type KeptRule = z.infer<typeof KeptRule>;

/** A change of a session's rules. */
export interface RuleCall extends Repeatable {
  readonly add: readonly SessionRule[];
  /** Ids of rules. */
  readonly remove: readonly string[];
  /** The turn is over, and with it what was for the turn. */
  readonly endTurn: boolean;
  /** The label of the token that sends it. */
  readonly by: string;
}

/** What an invocation would have the host asked for. */
export interface AskCall extends Repeatable {
  readonly missing: readonly MissingRequirement[];
}

export interface TouchCall extends Repeatable {
  readonly agent: string;
  readonly surroundings: Surroundings;
  /** Files that a tool read or wrote, absolute or relative. */
  readonly paths: readonly string[];
  /** A shell command that was run; the files that it names were touched. */
  readonly command: string | null;
  /** Where relative paths start. */
  readonly folder: string | null;
}

export interface Touched {
  /** Relative to the project; what lies outside of it is left out. */
  readonly paths: readonly string[];
  /** Skills that were waiting for one of them; a listing tells of them. */
  readonly activated: readonly { readonly name: string; readonly layer: Layer }[];
}

export interface Compacted {
  readonly listing: SessionListing;
  /** Instructions to attach again, the newest first. */
  readonly messages: readonly Message[];
  readonly attached: readonly KeptSkill[];
  readonly left: readonly (KeptSkill & { readonly reason: 'room' | 'not-persistent' })[];
}

export interface KeptSkill {
  readonly skill: string;
  readonly layer: Layer;
  readonly revision: string;
  /** An estimate, of what is attached again. */
  readonly tokens: number;
  /** True where only the beginning is attached. */
  readonly cut: boolean;
}

/** An inline invocation, as it was answered. */
export interface SessionInvocation extends Repeatable {
  readonly agent: string;
  /** Of the pins that it was made with, where they were remembered; null where the session was asked just before. */
  readonly generation: number | null;
  readonly skill: string;
  readonly layer: Layer;
  readonly revision: string;
  /** The expanded instructions, without what they are wrapped in. */
  readonly text: string;
  readonly args: string;
  /** False for a skill that is not to be attached again. */
  readonly persist: boolean;
  /** Tool patterns that the host was told to allow, for the turn. */
  readonly grants: readonly string[];
  /** Registered until the session ends, in place of those that this agent's last use of the skill registered. */
  readonly hooks: Hooks | null;
  /** Of the catalog's entry: the session registers no hooks of what strangers wrote. */
  readonly trust: Trust;
  /** Where the host has the files of the skill's plugin, and of the skill; hooks find them in their environment. */
  readonly pluginRoot: string | null;
  readonly skillDirectory: string | null;
}

export interface Invoked {
  /** True where the same text is in this agent's conversation already. */
  readonly alreadyLoaded: boolean;
  /** True where the session stands at other catalogs by now: nothing was noted. */
  readonly stale: boolean;
  /** Hooks of the skill that are registered, and those that are not: a stranger's, or more than there may be. */
  readonly hooks: { readonly registered: number; readonly refused: number };
}

export interface SessionPins {
  /** Counts the changes of what is in here. */
  readonly generation: number;
  readonly layers: readonly Layer[];
  readonly pins: readonly Pin[];
  readonly states: SkillStates;
  /** As it is now. */
  readonly host: SessionHost;
  readonly rules: readonly PolicyRule[];
}

/**
 * Sessions, one object each. `session_unknown` for one that is not there, has expired or is not this caller's: reading it
 * stores nothing. `session_conflict` where a key or a number stands for something else.
 */
export interface Sessions {
  /** Durable when it returns. The same id with the same fingerprint is the same session. */
  create(start: SessionStart): Promise<Result<SessionView>>;
  read(address: SessionAddress): Promise<Result<SessionView>>;
  end(address: SessionAddress): Promise<Result<null>>;
  pins(address: SessionAddress): Promise<Result<SessionPins>>;
  /** A `SessionListing` as JSON: an answer is kept as it was sent, to be sent again. */
  list(address: SessionAddress, call: ListCall): Promise<Result<string>>;
  /** `Touched` as JSON. */
  touch(address: SessionAddress, call: TouchCall): Promise<Result<string>>;
  /** `HostState` as JSON. */
  tell(address: SessionAddress, call: HostCall): Promise<Result<string>>;
  /** `{rules}` as JSON: all that the session has by then. */
  rule(address: SessionAddress, call: RuleCall): Promise<Result<string>>;
  /** A question about what nobody was asked for yet in this session; null where there is none. */
  ask(address: SessionAddress, call: AskCall): Promise<Result<PreflightQuestion | null>>;
  /** `Compacted` as JSON. */
  compact(address: SessionAddress, call: ListCall): Promise<Result<string>>;
  invoked(address: SessionAddress, invocation: SessionInvocation): Promise<Result<Invoked>>;
  /** Fires hooks, and runs those that are to be run here. A `HookAnswer` as JSON. */
  fireHooks(address: SessionAddress, call: HookCall): Promise<Result<string>>;
}
