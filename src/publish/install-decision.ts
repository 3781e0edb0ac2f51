import { type Layer, layerKind } from '../catalog/layers.ts';
import { mostTrust, type Trust } from '../catalog/provenance.ts';
import type { Verdict } from '../scan/finding.ts';
import {
  INSTALL_MATRIX,
  type InstallDecision,
  type InstallSettings,
  strictestDecision,
} from '../view/settings/install-rules.ts';
import type { Principal } from '../view/principal.ts';

type Publisher = Pick<Principal, 'trust' | 'actor'>;

/**
 * The trust that a publisher gives what it publishes in a layer: from its token and the organisation's settings alone, and
 * never more than the layer can have. Whoever may push to the shared layer at all is part of the deployment there.
 */
export function publisherTrust(
  { trust, actor }: Publisher,
  layer: Layer,
  settings: Pick<InstallSettings, 'publishers'>,
): Trust {
  if (actor === 'agent') return 'agent-created';
  const most = mostTrust(layer);
  if (trust === 'community' || most === 'community') return 'community';
  return layerKind(layer) === 'bundled' ? most : settings.publishers;
}

export interface InstallQuestion {
  readonly layer: Layer;
  /** What the catalog says of the skill: its publisher can say less of it than it might. */
  readonly trust: Trust;
  readonly verdict: Verdict;
  /** False: not all of it could be looked at. Nothing but the deployment's own skills is then installed unasked. */
  readonly complete: boolean;
  /** Somebody who may decide for people publishes it whatever a scan warns of. */
  readonly force: boolean;
}

export interface InstallAnswer {
  readonly decision: InstallDecision;
  /** The origin that decided. */
  readonly origin: Trust;
  /** It is allowed for the sake of `force` alone. */
  readonly forced: boolean;
}

/** What becomes of a skill: the strictest of what its origins say. Pure, and all there is to say about it. */
export function installDecision(
  publisher: Publisher,
  question: InstallQuestion,
  settings: InstallSettings,
): InstallAnswer {
  const { layer, trust, verdict, complete, force } = question;
  const fromAnybody = publisher.trust === 'community' || mostTrust(layer) === 'community';
  const origins: readonly Trust[] = [
    publisherTrust(publisher, layer, settings),
    trust,
    ...(fromAnybody ? (['community'] as const) : []),
  ];
  const answers = origins.map((origin) => {
    const wished = origin === 'builtin' ? undefined : settings.decisions[origin]?.[verdict];
    const looked = complete || origin === 'builtin' ? 'allow' : 'ask';
    return {
      origin,
      decision: strictestDecision(INSTALL_MATRIX[origin][verdict], wished ?? 'allow', looked),
    };
  });
  const decision = strictestDecision(...answers.map((answer) => answer.decision));
  const decisive = answers.find((answer) => answer.decision === decision);
  const origin = decisive?.origin ?? trust;
  const mayPass = publisher.actor !== 'agent' && verdict !== 'dangerous' && complete;
  const forced = force && mayPass && decision !== 'allow';
  return { origin, decision: forced ? 'allow' : decision, forced };
}
