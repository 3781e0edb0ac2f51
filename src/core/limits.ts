/**
 * Every bound of Skilledge, each with its reason. Inputs are measured against these before anything parses them.
 * Sizes are bytes unless the name says characters.
 */
const KIB = 1024;
const MIB = 1024 * KIB;
const DAY = 24 * 60 * 60 * 1000;

/** What a skill may be made of. */
export const SKILL_LIMITS = {
  /** The longest real SKILL.md of 8,804 measured is 291,207 characters. */
  skillFileBytes: 1 * MIB,
  /** The longest real frontmatter of the corpora is 9,619 bytes. yaml's own duplicate-key check is quadratic and off. */
  frontmatterBytes: 16 * KIB,
  /** Nested collections recurse in every YAML parser. */
  frontmatterDepth: 16,
  /** MCP's skills extension: 512 files and 16 MiB a skill. */
  files: 512,
  totalBytes: 16 * MIB,
  /** The largest supporting file of the corpora is 191 KB; R2 and one request hold this easily. */
  fileBytes: 8 * MIB,
  pathBytes: 512,
  pathSegments: 16,
  /** agentskills.io: names of 1-64 characters, descriptions of 1-1,024. Longer ones load, with a warning. */
  nameCharacters: 64,
  descriptionCharacters: 1024,
  /** A name longer than this is not a label any more; the folder's name is used. */
  nameCharactersHard: 128,
  /** A catalog entry carries at most this much description, so that a shard stays small. */
  entryDescriptionCharacters: 1024,
  entryTriggerCharacters: 1024,
  /** And the first patterns of its `paths`; real ones have up to a dozen. */
  entryPatterns: 64,
  entryPatternsCharacters: 1024,
  /** Platforms, and products, that a skill says it is for. */
  entryHosts: 16,
  entryHostCharacters: 64,
  /** Requirements of a row, their names, and names of which one is enough. Real skills have up to 7 requirements. */
  entryRequirements: 32,
  entryRequirementsCharacters: 1024,
  requirementCharacters: 128,
  requirementAlternatives: 16,
  versionCharacters: 64,
  /** A skill's place in its source. */
  originBytes: 512,
  /** A folder below which a skill is active; it stands in front of the name on a clash. */
  scopeCharacters: 512,
  /** `dir:name` of a command, which is its path. */
  commandNameCharacters: 512,
  /** Options that a plugin may declare for `${user_config.X}`; they travel in every entry of the plugin. */
  pluginOptions: 32,
  pluginOptionCharacters: 256,
  /** Keys that are tried one by one when a frontmatter is not YAML; each costs a parse. Real ones have up to 30. */
  repairedKeys: 64,
  /** Patterns that braces may multiply to (Claude Code's number), and their characters, which all go into the report. */
  patterns: 1_000,
  patternsCharacters: 64 * KIB,
  /** Remarks on one SKILL.md; a hostile one can have thousands of faults. */
  diagnostics: 100,
} as const;

/** What other runtimes take, for the report's `compatibility`. */
export const FOREIGN_LIMITS = {
  /** agentskills.io and everyone who follows it. */
  compatibilityCharacters: 500,
  /** Anthropic's upload: below 30 MB uncompressed. */
  anthropicBytes: 30_000_000,
} as const;

/** What a build may read beside skills. */
export const SOURCE_LIMITS = {
  /** plugin.json, marketplace.json, skilledge.yaml: the largest real one, of 286 plugins, has 180 KB. */
  manifestBytes: 1 * MIB,
  /** Prompts of one MCP server, and the file they were snapshotted into. */
  prompts: 1_000,
  promptsBytes: 8 * MIB,
} as const;

/** What a catalog may be made of. */
export const CATALOG_LIMITS = {
  entries: 100_000,
  /** Entries that a shard, or a page of the listing index, holds on average; one publish rewrites one of each. */
  leafEntries: 128,
  /** Shards that a branch between them and the root has on average; up to twice as many are in the root itself. */
  branchShards: 32,
  /** Thirty times what a full catalog has: they are read together, by the hundred. */
  branches: 1_000,
  branchBytes: 256 * KIB,
  shardBytes: 4 * MIB,
  /** Listing index: the top entries by static rank, and what all its pages have together. */
  indexEntries: 4096,
  indexBytes: 1 * MIB,
  /** Roots of before there were branches have 110 KB for a full catalog. */
  rootBytes: 1 * MIB,
  /** Whatever else is stored as JSON: a revision with as many files as there may be, and the longest paths, has half of it. */
  documentBytes: 1 * MIB,
  /** Skills of a layer that wait for a feature flag, and the flags' names: the table travels with every view. */
  gates: 1_000,
  flagCharacters: 64,
  /** Layers that one request may name beside `bundled` and `org`. */
  scopeLayers: 8,
  pageEntries: 100,
} as const;

/** What a listing may ask for. */
export const LISTING_LIMITS = {
  /** No model has a window beyond this; larger numbers are mistakes. */
  contextWindowTokens: 100_000_000,
  /** Claude Code's share of the window and its fallback where the window is unknown. */
  budgetFraction: 0.01,
  charactersPerToken: 4,
  fallbackCharacters: 8_000,
  entryCharacters: 250,
  /** A budget that a request or an organisation sets outright. */
  budget: 1_000_000,
  /** Of a session's budget: what its first listing leaves for skills that come later. */
  laterShare: 0.1,
  /** What Codex, and others after it, take for a token. */
  bytesPerToken: 4,
  /** A query is a sentence or two of what is to be done; every word is looked for in every entry. */
  queryCharacters: 1_000,
  queryTerms: 64,
  /** Skills about a query that are favoured: a few of them have to be told apart by their texts. */
  relevantSkills: 10,
  /** Paths that a session touched of late. Each is matched with every pattern of every conditional skill. */
  touchedPaths: 64,
  touchedCharacters: 4 * KIB,
  /** A name enum in a tool definition, counted as JSON: beyond that it costs more than a wrong name does. */
  enumNames: 100,
  enumCharacters: 4 * KIB,
  /** What a skill lacks, behind its text: a hint, which must leave room for the text. */
  noteCharacters: 60,
  /** Names of skills, with or without their layer, that an organisation gives a state. */
  statedSkills: 2_000,
  /** Agents with states of their own; the settings travel with every view. */
  statedAgents: 100,
  /** Skills that one request gives a state; longer lists belong into the settings. */
  statedByRequest: 100,
  statedCharacters: 4 * KIB,
  /** A catalog name at its longest, behind a layer. */
  statedNameCharacters: 800,
  /** Requests that are longer, or ask for a type with longer words, are answered and not remembered. */
  rememberedCharacters: 2 * KIB,
} as const;

/** JSON of strangers: deeper than anybody writes it, and far from where the checks of it run out of stack. */
export const JSON_LIMITS = { depth: 100 } as const;

/** What a request may be. */
export const REQUEST_LIMITS = {
  /** JSON bodies: arguments, decisions, settings. */
  jsonBytes: 256 * KIB,
  /** Starting a run carries input files beside the arguments. */
  runBytes: 4 * MIB,
  /** One batch of blobs: half of what an isolate can hold twice. */
  pushBytes: 24 * MIB,
  /** KV allows 1,000 operations an invocation, and a blob can cost one in KV and one in R2. */
  pushBlobs: 400,
  /** 10,000 digests of 64 digits and their quotes. */
  missingBlobs: 10_000,
  missingBytes: 1 * MIB,
  argumentCharacters: 64 * KIB,
  agentCharacters: 64,
  sessionCharacters: 128,
  /** `POST /v1/decisions` takes one subject or this many. */
  decisionSubjects: 100,
  nearestNames: 5,
  /** Names that an organisation gives to models. */
  modelAliases: 100,
  /** A host's name for the tool call that its messages belong to. */
  toolUseIdCharacters: 200,
} as const;

/** What a text may be asked for: skills that it names, or that it calls for. */
export const MENTION_LIMITS = {
  /** A message with its pasted files; the scanners take linear time. */
  textCharacters: 64 * KIB,
  /** Places that are answered; the first ones count. */
  mentions: 100,
  /** Different names that are looked up, a part of them at once: each can need a shard of every layer. OpenClaw takes 8. */
  names: 30,
  /** Claude Code: a command, and up to five more behind it. */
  stackedCommands: 6,
} as const;

/** What a message or a command may be searched for, and by. */
export const DETECT_LIMITS = {
  /** What a person says at once. */
  messageCharacters: 16 * KIB,
  candidates: 10,
  /** Candidates whose texts are compared with the message. */
  comparedCandidates: 20,
  /** Trigger phrases of one skill, and the words of each that say something. A real description of 2,187 has up to 43. */
  phrases: 64,
  phraseWords: 8,
  /** Skills whose phrases have a word; where more do, it alone is no trigger for any of them. */
  wordSharers: 3,
  /** Folders of skills that a host has mounted. */
  baseDirectories: 1_000,
  pathCharacters: 4 * KIB,
  /** Skills that one command can touch; each is looked up. */
  touchedSkills: 10,
} as const;

/** What a policy may be made of. */
export const POLICY_LIMITS = {
  ruleCharacters: 256,
  rules: 1_000,
  /** Why somebody wrote a rule. */
  reasonCharacters: 500,
  /** Rules of one layer beside the settings, as JSON: every request that names the layer reads them. */
  layerRules: 500,
  layerRulesCharacters: 128 * KIB,
  /** Of a session, and of one call. */
  sessionRules: 200,
  callRules: 64,
  /** What one call may ask about proposed rules. */
  simulatedSubjects: 100,
  /** A longer command is never split, and so never allowed by a prefix. */
  commandCharacters: 16 * KIB,
} as const;

/** What a scan of a skill may cost, and what it may say. */
export const SCAN_LIMITS = {
  /** Text of one skill that is looked through; the largest real skill of 2,223 has 0.9 MB. */
  textBytes: 4 * MIB,
  /** Characters that patterns are tried on in one file: what makes a file of 1 MB cost less than a tenth of a second. */
  patternCharacters: 320 * KIB,
  /** Around the first match of a rule that asks what else is in the file. Few real scripts are longer. */
  besideCharacters: 64 * KIB,
  /** Findings of one rule in one file that count in full, and places that it is tried on to find them. */
  matchesOfRule: 3,
  triesOfRule: 200,
  /** Of what is hidden in encodings: all of it in one file, and how deep encodings are in each other. */
  decodedCharacters: 64 * KIB,
  decodedDepth: 3,
  evidenceCharacters: 160,
  /** Of a line, on each side of a match, in the hash that suppressions name. */
  hashedCharacters: 4 * KIB,
  /** Findings that a report keeps, the worst first: it is read with every skill that is looked at. */
  findings: 50,
  /** Files whose kind is known by what they begin with. */
  magicBytes: 8 * KIB,
} as const;

/** What filling in a prompt may make of it. */
export const PROMPT_LIMITS = {
  /**
   * 1 MiB of `$0` and a 64 KiB argument would be 32 GiB of prompt. No model reads 4 Mi characters, so what goes beyond
   * that is an attack or a mistake.
   */
  insertedCharacters: 4 * MIB,
  /** Placeholders filled in and backslashes taken away. Each of the former is in the answer; real bodies have a few dozen. */
  changes: 5_000,
  /** A declared name, or a variable, with its braces. Reading costs a step for each character of the longest one. */
  nameCharacters: 256,
  /** Inline shell commands of one body. Real ones have up to a dozen. */
  commands: 32,
  /** What of one command's output is inserted. */
  outputCharacters: 32 * KIB,
  /** All commands of one invocation together, where the sandbox runs them: somebody waits for the answer. */
  shellMilliseconds: 5_000,
} as const;

/** What a forked run may use. */
export const RUN_LIMITS = {
  turns: 64,
  toolCalls: 128,
  /** Of all models together: 64 turns with a full window of 200,000 have about as many. */
  tokens: 12_000_000,
  /** Time that a run works; one that waits for somebody does not. */
  wallMilliseconds: 60 * 60 * 1000,
  /** Runs inside of runs; Claude Code's sub-agents start none at all, the agents SDK allows 4. */
  depth: 4,
  /** The same call with the same result, one behind the other: it will not change any more. */
  sameCalls: 8,
  /** One call of a model, below the 15 minutes that an alarm may take. */
  modelMilliseconds: 10 * 60 * 1000,
  /** A step begins in an alarm that is younger than this; what is left has an alarm of its own. */
  alarmMilliseconds: 1_000,
  /** Of a model's message: what of one call's input is passed on, and calls that it may ask for at once. */
  replyCharacters: 2 * MIB,
  callsAtOnce: 64,
  /** Tools of the host: as many as a model can tell apart, each with a schema of a page or two. */
  clientTools: 32,
  clientToolCharacters: 2_000,
  clientToolsBytes: 64 * KIB,
  resultSchemaBytes: 32 * KIB,
  /** Parts of a schema that one value can be held against, references followed. */
  resultSchemaChecks: 10_000,
  /** Checks of a whole result, each less than a microsecond: 4,000 values against a schema of 1,000 parts. */
  resultChecks: 4_000_000,
  /** Agents that an organisation defines, and the system prompt of each: the settings travel with every view. */
  subagents: 20,
  agentCharacters: 8 * KIB,
  /** How long a run waits for a person or its host, if nobody says otherwise, and at the longest. */
  defaultActionMilliseconds: DAY,
  actionMilliseconds: 7 * DAY,
  /** How often a run that waits for one inside of it looks whether it has ended, should nobody tell it. */
  childPollMilliseconds: 2_000,
  /** `act` and a number of six digits for each run, from the first to the deepest. */
  actionIdCharacters: 40,
  /** How long a window is taken to be where nobody says, and the share of it at which a conversation is compacted. */
  contextTokens: 128_000,
  compactionShare: 0.75,
  /** Hooks that keep a run from ending do so this often, and then no more. */
  stopBlocks: 3,
  /** What of a step's texts its events show. */
  eventCharacters: 4 * KIB,
  /** Of all events of a run, beyond which only steps are noted: far more than 64 turns have. */
  eventBytes: 8 * MIB,
  /** What a model says is written this often: one row for each word costs twelve times as much. */
  deltaMilliseconds: 250,
  eventPage: 500,
  /** The latest events are read by all who watch: so much of them is kept in memory, about 100 steps of usual size. */
  recentEventCharacters: 64 * KIB,
  /** An organisation's list of runs could not be told: when the run tries again. */
  listRetryMilliseconds: 5_000,
  /** Runs that an organisation's list has at most, and on one page of it. */
  listed: 10_000,
  listedPage: 100,
  /** Readers that one run holds until something happens; others ask again. */
  watchers: 64,
  /** How long a stream of events lasts; its reader comes back with the last id. */
  streamMilliseconds: 5 * 60 * 1000,
  files: 256,
  fileBytes: 1 * MIB,
  workspaceBytes: 32 * MIB,
  workspaceFiles: 4096,
  /** What of a tool's output the model sees; of the rest, this much is kept in a file. */
  toolOutputCharacters: 32 * KIB,
  keptOutputBytes: 4 * MIB,
  /** Lines of a file that are shown at once, and of one line. */
  readLines: 2_000,
  lineCharacters: 2_000,
  /** A text that one edit may make of a file: replacing everywhere multiplies. */
  editedBytes: 8 * MIB,
  /** Paths that one answer names: enough to see that a pattern is too wide. */
  pageFiles: 500,
  globResults: 500,
  globPatternCharacters: 1_000,
  /** A pattern, as written and with its repetitions written out. */
  grepPatternCharacters: 1_000,
  grepPatternRepeated: 4_000,
  /** Lines of one answer, and around one match; what does not fit is better looked for more narrowly. */
  grepLines: 250,
  grepContextLines: 50,
  /** What is searched of a line, how much between two looks at the clock, and how long at all. */
  grepLineCharacters: 64 * KIB,
  grepSliceCharacters: 64 * KIB,
  grepMilliseconds: 10_000,
  resultCharacters: 256 * KIB,
  /** One Bash call, wall clock. */
  bashMilliseconds: 20 * 1000,
  /** A script is run again at most this often, once for each redirection that it cannot open. */
  bashReplays: 64,
  /** What lies beside the mounts (`/bin`, `/dev`, `/proc`) lives as long as one call and holds at most this. */
  systemBytes: 4 * MIB,
  /** A step that was killed or failed this often ends the run. */
  stepAttempts: 5,
  /** Set before a step works: should the object die inside it, this alarm brings it back. */
  watchdogMilliseconds: 5_000,
  /** Of an accepted run, which begins by itself: this alarm brings it back, and keeps its object in memory while it works. */
  firstWatchdogMilliseconds: 1_000,
  firstRetryMilliseconds: 500,
  /** How long an ended run waits before it tells the organisation's log again. */
  auditRetryMilliseconds: 30_000,
  grants: 64,
  /** How long a caller may wait for a run in one request (`Prefer: wait=`), below what clients and proxies give up at. */
  waitSeconds: 25,
  /** Runs are kept this long after they end. */
  retentionMilliseconds: 7 * 24 * 60 * 60 * 1000,
} as const;

/** What a call of a model may take, its tries together. */
export const MODEL_LIMITS = {
  /** A long thought and a long answer; below the 15 minutes that an alarm may take. */
  callMilliseconds: 10 * 60 * 1000,
  /** Without a byte: providers send signs of life while a model thinks, and a local server may have to load it first. */
  idleMilliseconds: 2 * 60 * 1000,
  tries: 4,
  firstWaitMilliseconds: 1_000,
  /** A provider that asks for a longer pause than this is down for a run. */
  longestWaitMilliseconds: 60 * 1000,
  /** As it comes over the wire, where a word has an envelope of 150 bytes; nothing of it is kept. */
  answerBytes: 64 * MIB,
  /** What is kept of one message: text, thoughts and inputs of calls. */
  messageCharacters: 4 * MIB,
  calls: 64,
  toolNameCharacters: 64,
  /** What is told of a provider's own error. */
  detailCharacters: 300,
  /** Of an organisation's settings. */
  providers: 32,
  modelsOfProvider: 100,
  urlCharacters: 2_000,
} as const;

/** What organisations hand over to be kept. */
export const SECRET_LIMITS = {
  secrets: 100,
  /** Keys have a few hundred characters, tokens of identity providers up to some thousand. */
  valueCharacters: 8 * KIB,
  origins: 10,
  originCharacters: 300,
  /** Of `SECRETS_KEY`: 32 random bytes have 44 characters in base64. */
  keyCharacters: 32,
} as const;

/** What one isolate may remember. */
export const CACHE_LIMITS = {
  /** Tokens and view records: how long a revocation or a publish can go unnoticed. */
  recordMilliseconds: 30 * 1000,
  records: 5_000,
  /** SKILL.md files as served; an isolate has 128 MB for all of its tenants and everything else. */
  blobBytes: 16 * MIB,
  /** Text of each kind of parsed document (shards, indexes, revisions, reports); objects weigh a few times as much. */
  documentBytes: 3 * MIB,
  /** Of the heads of layers, as objects of organisations keep them. */
  headCharacters: 2 * MIB,
  listings: 500,
  listingBytes: 8 * MIB,
  /** Skills of merged views, each with its four texts: half a kilobyte. */
  mergedSkills: 40_000,
  /** Skills whose trigger phrases are ready to be looked for: a kilobyte each. */
  triggerSkills: 20_000,
  /** Names that were looked up in one view, each with its row of a catalog: an agent uses a few skills over and over. */
  names: 100,
  /** Tool patterns that skills declare and callers grant, as they were read: a few kilobytes each at their longest. */
  patterns: 1_000,
  /** Decisions about skills of one view, a kilobyte each. */
  decisions: 500,
  /** Decisions as they were answered. */
  decisionBytes: 2 * MIB,
} as const;

/** What platforms take in one piece. */
export const STORE_LIMITS = {
  /** SQLite in a Durable Object caps one value at 2 MB; larger ones are kept in pieces of this size. */
  pieceBytes: 1 * MIB,
} as const;

/** What a session remembers of the agents in it. */
export const SESSION_LIMITS = {
  agents: 64,
  /** Skills that touched paths activated, for one agent. */
  activated: 4_096,
  /** Skills that one agent invoked; the oldest give way. */
  invocations: 64,
  /** Of an instruction that a compaction may attach again; no more than this of it is kept. */
  keptCharacters: 256 * KIB,
  /** Answers to writes with an `Idempotency-Key`, kept to be repeated. */
  answers: 256,
  idempotencyKeyCharacters: 200,
  /** A listing that is remembered line by line. */
  budgetCharacters: 250_000,
  /** Compaction, in tokens: what Claude Code attaches again of one skill, and of all together. */
  skillTokens: 5_000,
  allSkillsTokens: 25_000,
  /** How long a session lives after its last use, where neither the organisation nor the caller says otherwise. */
  idleMinutes: 24 * 60,
  longestIdleMinutes: 30 * 24 * 60,
  /** What a host says it has; a search path of 2,000 programs has about 20,000 characters. */
  hostCharacters: 32 * KIB,
  hostNameCharacters: 128,
  /** Several times as many commands as hosts have. */
  hostCommands: 256,
  /** Things that one question is about, skills that it names for each, and things that a session asks about at all. */
  askedAtOnce: 64,
  askedSkills: 8,
  asked: 1_000,
  /** Pins that an isolate remembers, to invoke without asking the session first. */
  rememberedPins: 500,
  /** Hooks of one skill, and of all that one agent invoked. Later ones stay out: a hook that guards must not give way. */
  hooksOfSkill: 64,
  hooks: 512,
  /** Events whose hooks were interrupted and that nobody asked about again. */
  firings: 64,
} as const;

/** What parts of a pattern count for, so that the longest that passes is read and tried in less than 5 ms. */
export const PATTERN_LIMITS = {
  /** A class by Unicode property: about 0.3 ms each, which is what 128 ordinary characters take. */
  propertyCharacters: 128,
  /** Code points that ignore case, walked in the time of one ordinary character: 125,000 of them took 7 to 15 ms. */
  codePointsOfCharacter: 16,
} as const;

/** What hooks may do. */
export const HOOK_LIMITS = {
  /** A matcher that is a pattern, as written and with its repetitions written out: real ones name a few tools. */
  patternCharacters: 128,
  patternRepeated: 1_000,
  /** Names of tools, and whatever else matchers are compared with. */
  valueCharacters: 256,
  /** Patterns that an isolate keeps compiled. */
  patterns: 500,
  /** Hooks that one event runs here at once; the host gets the others. */
  runAtOnce: 16,
  /** The longest that all of them together may take, whatever they declare: their caller waits for them. */
  milliseconds: 10_000,
  /** What of an answer or an output is read and kept. */
  answerBytes: 64 * KIB,
  outputCharacters: 16 * KIB,
} as const;

/** What a run may have of the web. */
export const WEB_LIMITS = {
  urlCharacters: 2_000,
  /** One text; pages of documentation have up to a megabyte of HTML. */
  answerBytes: 2 * MIB,
  milliseconds: 10_000,
} as const;

/** What servers of MCP tools may be, and what of them is taken. */
export const MCP_LIMITS = {
  /** The settings travel with every view. */
  servers: 16,
  urlCharacters: 2_000,
  headers: 16,
  headerCharacters: 1_000,
  /** Tools of one server: their definitions stand in every request to a model. */
  tools: 64,
  listPages: 32,
  descriptionCharacters: 2_000,
  schemaCharacters: 16 * KIB,
  errorCharacters: 500,
  /** Everything that a server answers on one connection, which is made for one call or one list. */
  answerBytes: 4 * MIB,
  listMilliseconds: 10_000,
  callMilliseconds: 60_000,
  /** How long an isolate takes a server's list for the one of now, and how long it leaves alone one that failed. */
  listedMilliseconds: 5 * 60 * 1000,
  failureMilliseconds: 10_000,
  /** Lists that an isolate keeps, as characters of their JSON. */
  listedCharacters: 4 * MIB,
} as const;

/** What is fetched for somebody else. */
export const HTTP_LIMITS = {
  redirects: 3,
} as const;

/** What is taken from the deployment's canonical registry. */
export const REGISTRY_LIMITS = {
  /** An index of 5,000 skills with 300 characters each; it is one document, and JSON is parsed in one piece. */
  indexBytes: 2 * MIB,
  indexEntries: 10_000,
  urlCharacters: 2_000,
  /** For the index, and again for a skill: somebody waits for both. */
  milliseconds: 5_000,
  /** How long an isolate takes the index for the one of now: a new revision is seen this much later. */
  indexMilliseconds: 5 * 60 * 1000,
  /** How long it asks no more for what could not be had, so that nobody can make it beat on a registry. */
  failureMilliseconds: 10 * 1000,
  failures: 1_000,
  /** Rows of skills that are in an organisation's space already. */
  rows: 2_000,
} as const;

/** What publishing may take. */
export const PUBLISH_LIMITS = {
  /**
   * JSON of one skill, base64 included: it is parsed in one piece and stands in memory four times. Skills of the corpora
   * have up to 2 MB; larger ones are pushed.
   */
  skillBytes: 8 * MIB,
  /** How often a change of one skill begins again because somebody else changed the layer in between. */
  attempts: 8,
  /** Skills that are held by one call of their owner: a row of a catalog and what was found, a few KB each. */
  heldAtOnce: 500,
  /** Skills that an answer lists as held; the quarantine has all of them. */
  listedHeld: 100,
} as const;

/** How Durable Objects keep house. */
export const ORG_LIMITS = {
  /** The list of runs is put in order every so many notes. */
  runsBetweenSweeps: 64,
  /** Copies to KV made by one alarm: below KV's 1,000 operations an invocation. */
  outboxBatch: 400,
  retryMilliseconds: 5_000,
  approvals: 10_000,
  approvalMilliseconds: 7 * DAY,
  /** What was approved for a revision is asked again after this long, whatever has not changed. */
  revisionApprovalMilliseconds: 365 * DAY,
  /** A page of approvals, each with all that a person was shown. */
  approvalsPage: 50,
  /** Skills that wait for a person, and how long; then those that somebody decided about, whose answer holds on. */
  held: 1_000,
  heldMilliseconds: 30 * DAY,
  judged: 10_000,
  judgedMilliseconds: 5 * 365 * DAY,
  quarantinePage: 50,
} as const;

/** How often skills are used: what is counted, and what of it ranks listings. */
export const USAGE_LIMITS = {
  /** What an isolate holds back, in skills and in time, and may lose. Work behind an answer has 30 seconds. */
  bufferedSkills: 100,
  flushMilliseconds: 10_000,
  /** What follows this soon is a retry or a loop. */
  repeatMilliseconds: 60 * 1000,
  /** Skills of one organisation that are counted. */
  skills: 10_000,
  /** Ranks change at most this often: each change can cost agents what they cached of a prompt. */
  snapshotMilliseconds: DAY,
  /** Claude Code's decay: half as much for every week, down to a tenth. */
  halfLifeMilliseconds: 7 * DAY,
  leastShare: 0.1,
  /**
   * The snapshot is in the view record, which every cold request reads before it can do anything else: at about 45
   * characters each these are 23 KB, and a listing for a window of 200,000 tokens has text for fewer.
   */
  snapshotSkills: 512,
  /** Names can have 600 characters. */
  snapshotCharacters: 32 * KIB,
} as const;

/** What an event may be. */
export const EVENT_LIMITS = {
  /**
   * Of one text. A name of a catalog fits; five such texts of three bytes a character stay below the 16 KB that Analytics
   * Engine takes.
   */
  textCharacters: 800,
  /** Skills that one call wakes; Analytics Engine takes 250 data points of one. */
  activatedAtOnce: 200,
} as const;

/** What an organisation's audit log may hold, and what is told to it from outside. */
export const AUDIT_LIMITS = {
  /** At half a kilobyte each these are 125 MB of the 10 GB that an object can have. */
  records: 250_000,
  /** A year's audit, and a month to make it in. */
  retentionMilliseconds: 400 * DAY,
  /** Each dropping is a record as well, so it waits until there are this many too many, or one is this much too old. */
  spareRecords: 500,
  spareMilliseconds: 30 * DAY,
  /** What one act drops at most; the next one goes on. */
  droppedAtOnce: 5_000,
  /** Names of skills that one record has of each kind of change. A row of 200 characters is read by people. */
  names: 32,
  nameCharacters: 200,
  /** A line of an export: three lists of names in which every character is escaped, and as much again. */
  lineCharacters: 256 * KIB,
  page: 100,
  largestPage: 1_000,
  /** A page ends before its limit where it would be longer than this. */
  pageCharacters: 1 * MIB,
  /** Denials that are alike have one record in this time, and all together so many in an hour. */
  repeatMilliseconds: 60 * 1000,
  denialsPerHour: 200,
  /** Reports in one call: of one isolate. */
  reportsAtOnce: 200,
  /** What an isolate holds back, in different denials and in time, and may lose. */
  bufferedDenials: 100,
  flushMilliseconds: 10_000,
} as const;

/** What a search may ask for, and what is kept to answer it. */
export const SEARCH_LIMITS = {
  queryCharacters: 512,
  queryTerms: 32,
  results: 50,
  resultsDefault: 10,
  /** Hits whose names are looked up in one round: each can need a shard of every layer, 256 KB in memory. */
  namedAtOnce: 10,
  /** Rows that SQL ranks beforehand, and that are then scored exactly. */
  candidates: 40,
  /** Rows that one query may rank: words that are in more of them only add to the score of what the others found. */
  rankedRows: 4_000,
  termCharacters: 40,
  /** Spellings of one word that was never indexed: by its beginning, or with one mistake. */
  variants: 6,
  prefixCharacters: 3,
  /** Shorter words are all alike with one letter changed; longer ones are no words. */
  shortestMisspelt: 4,
  longestMisspelt: 20,
  snippetCharacters: 200,
  /** What of one skill is indexed. */
  fieldTerms: 256,
  headings: 64,
  headingCharacters: 200,
  /** Skills read by one alarm: at most two blobs each, below KV's 1,000 operations an invocation even when R2 is asked too. */
  batchSkills: 200,
  batchBytes: 8 * MIB,
  retryMilliseconds: 2_000,
  longestRetryMilliseconds: 5 * 60 * 1000,
} as const;
