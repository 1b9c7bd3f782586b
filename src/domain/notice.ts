import type { ActorKind } from './audit-actor.ts';

/**
 * Actions of the audit log of which a store's owners are told: whatever gives somebody a way to money, or takes a guard
 * of it away, so that an owner notices what somebody does in their name. Each says who else is mailed.
 */
export const NOTICED_ACTIONS = {
  'team/invite': { subjectToo: false },
  'team/join': { subjectToo: false },
  'team/role': { subjectToo: true },
  'team/remove': { subjectToo: true },
  'team/confirm': { subjectToo: true },
  'account/second-factor': { subjectToo: true },
  'account/second-factor/end': { subjectToo: true },
  'keys/create': { subjectToo: false },
  'keys/limit': { subjectToo: false },
  'keys/revoke': { subjectToo: false },
  'webhooks/create': { subjectToo: false },
  'webhooks/update': { subjectToo: false },
  'webhooks/rotate-secret': { subjectToo: false },
  'stores/payout-controls': { subjectToo: false },
  'stores/second-factor': { subjectToo: false },
} as const;

export type NoticedAction = keyof typeof NOTICED_ACTIONS;

/**
 * Whether owners are told of a line. Not of the test environment, where no money moves; and not of what a key does over
 * the API: a program that sets webhooks up does so often.
 */
export function isNoticed(line: {
  readonly action: string;
  readonly devMode: boolean | null;
  readonly actorKind: ActorKind;
}): boolean {
  const isByPeople = line.actorKind === 'PERSON' || line.actorKind === 'CLI';
  return line.action in NOTICED_ACTIONS && line.devMode !== true && isByPeople;
}
