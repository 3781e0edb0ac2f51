import { z } from 'zod';
import { FlagName } from '../../catalog/merkle-catalog.ts';
import {
  LISTING_LIMITS,
  POLICY_LIMITS,
  REQUEST_LIMITS,
  RUN_LIMITS,
  SESSION_LIMITS,
} from '../../core/limits.ts';
import { PrecedenceName } from '../../catalog/precedence.ts';
import { ProvidersSettings } from '../../model/provider-settings.ts';
import { PLACEMENT } from '../../policy/safe-properties.ts';
import { RulePattern } from '../../policy/written-rule.ts';
import { InstallSettings } from './install-rules.ts';
import { McpServers } from './mcp-settings.ts';
import { WantedRunLimits } from './run-limits.ts';
import { SkillStates } from './skill-states.ts';

const Patterns = z.array(RulePattern).max(POLICY_LIMITS.rules).default([]);

/** What is different for one agent, by the label that it gives itself. */
const AgentSettings = z.strictObject({ states: SkillStates.default({}) });

/** An agent that follows forked skills, by the name that skills call it. */
const Subagent = z.strictObject({
  /** Its system prompt. */
  system: z.string().min(1).max(RUN_LIMITS.agentCharacters),
  /** Names of the tools that it may use, of those that the skill has; null: all of them. `mcp__server`: all of that server. */
  tools: z
    .array(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,127}$/))
    .max(RUN_LIMITS.grants)
    .nullable()
    .default(null),
  /** The model where the skill names none. */
  model: z.string().min(1).max(200).nullable().default(null),
  /** Below those of the deployment. */
  limits: WantedRunLimits.default({}),
});
export type Subagent = z.infer<typeof Subagent>;

/** What an organisation can set. One schema, versioned; every part has a default, so that `{}` is the defaults. */
export const OrgSettings = z.strictObject({
  version: z.literal(1).default(1),
  listing: z
    .strictObject({
      /** Share of the context window that the listing may take. */
      budgetFraction: z.number().positive().max(1).default(LISTING_LIMITS.budgetFraction),
      /** Budget in characters where the window is unknown. */
      fallbackCharacters: z
        .int()
        .nonnegative()
        .max(LISTING_LIMITS.budget)
        .default(LISTING_LIMITS.fallbackCharacters),
      /** Cap of one entry's text, in characters. */
      entryCharacters: z.int().min(1).max(10_000).default(LISTING_LIMITS.entryCharacters),
      /** Whether skills that wait for a path are announced by it, unless a request says otherwise. */
      announce: z.boolean().default(false),
    })
    .prefault({}),
  bundled: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Names of bundled skills that are switched off one by one. */
      off: z.array(z.string().max(200)).max(1000).default([]),
    })
    .prefault({}),
  /** Where skills stand for everyone. */
  states: SkillStates.default({}),
  /** Beside that, for agents by their labels. It can hide more and show nothing that is hidden from everyone. */
  agents: z
    .record(z.string().min(1).max(REQUEST_LIMITS.agentCharacters), AgentSettings)
    .refine((agents) => Object.keys(agents).length <= LISTING_LIMITS.statedAgents, 'too many agents')
    .default({}),
  /** Agents for `agent` of forked skills, beside `general-purpose`, `explore` and `plan`, or in their place. */
  subagents: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/), Subagent)
    .refine((agents) => Object.keys(agents).length <= RUN_LIMITS.subagents, 'too many subagents')
    .default({}),
  sessions: z
    .strictObject({
      /** How long a session lives after its last use. */
      idleMinutes: z.int().min(1).max(SESSION_LIMITS.longestIdleMinutes).default(SESSION_LIMITS.idleMinutes),
      /** What a compaction attaches again, in tokens: of one skill, and of all together. */
      skillTokens: z.int().nonnegative().max(100_000).default(SESSION_LIMITS.skillTokens),
      allSkillsTokens: z.int().nonnegative().max(1_000_000).default(SESSION_LIMITS.allSkillsTokens),
    })
    .prefault({}),
  /**
   * Skills that need what a host lacks: `hide` leaves them out, `list` says what is missing, and `ask` also asks the host
   * for it once in a session.
   */
  requirements: z.enum(['hide', 'list', 'ask']).default('list'),
  /**
   * Who runs the hooks of skills that sessions know. That the deployment itself calls servers, or runs commands in its
   * sandbox, is for the organisation to decide.
   */
  hooks: z
    .strictObject({
      http: z.enum(['run', 'host', 'off']).default('host'),
      command: z.enum(['sandbox', 'host', 'off']).default('host'),
    })
    .prefault({}),
  /** Skills of the deployment's registry, `_canonical_NAME`: a question to a person each, or what any other skill is. */
  remoteSkills: z.enum(['ask', 'allow']).default('ask'),
  /** What becomes of skills that are published, by where they are from and what a scan says of them. */
  install: InstallSettings.prefault({}),
  events: z
    .strictObject({
      /** Whether events name skills, layers and agents. */
      names: z.enum(['shown', 'masked']).default('shown'),
    })
    .prefault({}),
  models: z
    .strictObject({
      /** What the organisation means by a model's name, in lower case: `{"opus": "claude-opus-4-5"}`. */
      aliases: z
        .record(z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/), z.string().min(1).max(200))
        .refine((aliases) => Object.keys(aliases).length <= REQUEST_LIMITS.modelAliases, 'too many aliases')
        .default({}),
      /** The model of runs whose skill names none that is known here; null: the engine `runbook`. */
      default: z.string().min(1).max(200).nullable().default(null),
      /** Servers of models, by the organisation's names for them. */
      providers: ProvidersSettings.default({}),
    })
    .prefault({}),
  /** Servers of MCP tools for runs, by the organisation's names for them. */
  mcpServers: McpServers.default({}),
  /** Feature flags that are on for this organisation, beside those of the deployment. */
  flags: z.array(FlagName).max(100).default([]),
  /** Whose order of layers says which of two namesakes has the bare name. */
  precedence: PrecedenceName.default('skilledge'),
  /** Whether `/name`, `/skill:name` and what they leave in a conversation name skills. */
  slashCommands: z.boolean().default(true),
  /** Rules of the organisation, such as `Bash(git diff:*)`. Looked at as deny, then ask, then allow. */
  permissions: z.strictObject({ deny: Patterns, ask: Patterns, allow: Patterns }).prefault({}),
  /** Which of the fields that say where a skill's prompt runs, and on which model, are a question to a person. */
  askedProperties: z.array(z.enum(PLACEMENT)).default([]),
});
export type OrgSettings = z.infer<typeof OrgSettings>;

export const DEFAULT_SETTINGS: OrgSettings = OrgSettings.parse({});
