import type { ActorKind } from './audit-actor.ts';

/**
 * Audit actions that a store's owners are notified of: each gives someone access to money, removes a protection, or changes what
 * payers read on the store's pages, such as a contact that could ask them to pay elsewhere.
 * Each defines the recipients: the owners, and the person concerned.
 */
export const NOTICED_ACTIONS = {
  'accounts/add': 'owners',
  'accounts/rotate': 'owners',
  'accounts/methods': 'owners',
  'accounts/remove': 'owners',
  'team/invite': 'owners',
  'team/join': 'owners',
  'team/role': 'owners and subject',
  'team/remove': 'owners and subject',
  'team/confirm': 'owners and subject',
  'team/sign-in-link': 'owners and subject',
  'team/reset-password': 'owners and subject',
  'account/password': 'subject',
  'sign-in/codes-locked': 'owners and subject',
  'account/second-factor': 'owners and subject',
  'account/second-factor/end': 'owners and subject',
  'keys/create': 'owners',
  'keys/limit': 'owners',
  'keys/rotate': 'owners',
  'keys/revoke': 'owners',
  'webhooks/create': 'owners',
  'webhooks/update': 'owners',
  'webhooks/rotate-secret': 'owners',
  'webhooks/delete': 'owners',
  'sub-accounts/create': 'owners',
  'sub-accounts/update': 'owners',
  'settings/logo': 'owners',
  'settings/update': 'owners',
  'stores/update': 'owners',
  'stores/payout-controls': 'owners',
  'stores/second-factor': 'owners',
} as const satisfies Readonly<Record<string, NoticedBy>>;

type NoticedBy = 'owners' | 'owners and subject' | 'subject';

export type NoticedAction = keyof typeof NOTICED_ACTIONS;

/** The actions that owners are notified of, by mail and on the home page. */
export const NOTICED_BY_OWNERS = (Object.keys(NOTICED_ACTIONS) as NoticedAction[]).filter(
  (action) => NOTICED_ACTIONS[action] !== 'subject',
);

/**
 * Whether owners are notified of a line. Excludes the test environment, where no money moves, and API keys:
 * programs configure webhooks often.
 */
export function isNoticed(line: {
  readonly action: string;
  readonly devMode: boolean | null;
  readonly actorKind: ActorKind;
}): boolean {
  return line.action in NOTICED_ACTIONS && line.devMode !== true && line.actorKind !== 'API_KEY';
}
