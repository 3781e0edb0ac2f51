import { digestOf } from '../core/digest.ts';
import type { SkillEvent } from '../invoke/event.ts';
import { reattach } from '../invoke/sessions/reattach.ts';
import type { Compacted, ListCall, SessionListing } from '../invoke/sessions/session-contract.ts';
import { listNewSkills } from '../view/listing/list-new-skills.ts';
import type { MergedListing } from '../view/listing/merge-listing.ts';
import type { View } from '../view/view.ts';
import type { AgentTable, Answered } from './agent-table.ts';
import type { InvocationTable } from './invocation-table.ts';
import type { PreflightTable } from './preflight-table.ts';
import { catalogsOf } from './session-description.ts';
import { listingEvents } from './session-events.ts';
import type { StoredSession } from './session-table.ts';

/** What a call works with: all that had to be waited for, read before anything is written. */
export interface Scene {
  readonly session: StoredSession;
  readonly view: View;
  readonly merged: MergedListing;
  /** What happens in this call; told once it is stored. */
  readonly events: SkillEvent[];
}

/** Lists to the agents of a session, and compacts their conversations. Answers are JSON, and are stored as they are. */
export class AgentListings {
  readonly #agents: AgentTable;
  readonly #invocations: InvocationTable;
  readonly #preflight: PreflightTable;

  constructor(agents: AgentTable, invocations: InvocationTable, preflight: PreflightTable) {
    this.#agents = agents;
    this.#invocations = invocations;
    this.#preflight = preflight;
  }

  list(scene: Scene, call: ListCall): string {
    return this.#repeated(call, 'list') ?? this.#answer(scene, call, 'list', (listing) => listing);
  }

  compact(scene: Scene, call: ListCall): string {
    const again = this.#repeated(call, 'compact');
    if (again !== null) return again;
    return this.#answer(scene, call, 'compact', (listing): Compacted => {
      const loaded = this.#invocations.of(call.agent).map((row) => {
        const text = this.#invocations.text(row);
        const whole = digestOf(text) === row.identity;
        return { ...row, skill: row.name, text, args: row.arguments, whole };
      });
      const { whole, part, ...attached } = reattach(loaded, scene.view.settings.sessions);
      this.#invocations.keep(call.agent, whole, part);
      return { listing, ...attached };
    });
  }

  /** The last answer, where the caller says that it has only the one before. */
  #repeated({ agent, after }: ListCall, answered: Answered): string | null {
    return after === this.#agents.sequence(agent) - 1 ? this.#agents.answer(agent, answered) : null;
  }

  /** Lists what is new to an agent; everything where it is compacted, or counts otherwise than this session does. */
  #answer(
    { session, view, merged, events }: Scene,
    call: ListCall,
    answered: Answered,
    answerWith: (listing: SessionListing) => SessionListing | Compacted,
  ): string {
    const { agent, after, contextWindow } = call;
    const last = this.#agents.sequence(agent);
    const goesOn = answered === 'list' && (after === null || after === last);
    const before = goesOn ? this.#agents.shown(agent) : null;
    const { platform, product, has } = session.start.host;
    const wishes = {
      ...call.wishes,
      platform: call.wishes.platform ?? platform,
      product: call.wishes.product ?? product,
      activated: this.#agents.activated(agent),
      has: this.#preflight.host(has).has,
    };
    const { shown, missing, ...listed } = listNewSkills(view, merged, contextWindow, wishes, before);
    const preflight = view.settings.requirements === 'ask' ? this.#preflight.ask(missing) : null;
    events.push(...listingEvents(call, listed, before === null));
    const answer = answerWith({
      session: session.start.id,
      agent,
      sequence: last + 1,
      isInitial: before === null,
      skillCount: Object.keys(shown.printed).length,
      ...listed,
      spent: shown.spent,
      usage: view.usage ? { snapshot: view.usage.at } : null,
      catalogs: catalogsOf(session.pins),
      ...(preflight ? { preflight } : {}),
    });
    const text = JSON.stringify(answer);
    this.#agents.write(agent, last + 1, shown, answered, text);
    return text;
  }
}
