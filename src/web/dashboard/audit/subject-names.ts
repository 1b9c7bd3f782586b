import { accountsById } from '../../../accounts/provider-accounts.ts';
import { type Subject, subjectsOf } from '../../../audit-log/subjects.ts';
import { ID_PREFIX, type ProviderAccountId } from '../../../domain/ids.ts';
import { institutionName } from '../accounts/account-kinds.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { EVENT_WORDS } from '../webhooks/event-words.ts';
import { amount, methodName } from '../words.ts';

/** The names of objects by id. Objects without a name are left out. @param of their ids, of which some may repeat. */
export async function subjectNames(
  visit: Visit,
  of: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { em, store, say } = visit;
  const ids = [...new Set(of)];
  const accountIds = ids.filter((id): id is ProviderAccountId => id.startsWith(ID_PREFIX.providerAccount));
  const [subjects, accounts] = await Promise.all([
    subjectsOf(em, store.id, ids),
    accountsById(em, store.id, accountIds),
  ]);
  return new Map([
    ...subjects.map((subject) => [subject.id, nameOf(subject, say)] as const),
    ...accounts.map((account) => [account.id, institutionName(visit, account)] as const),
    ...ids.filter(isSession).map((id) => [id, say('dashboard.audit.session')] as const),
    [store.id, store.name] as const,
  ]);
}

function isSession(id: string): boolean {
  return id.startsWith(ID_PREFIX.session);
}

/** Empty for an object that nothing names. */
function nameOf({ name, event, method, amountCents }: Subject, say: Say): string {
  const parts = [
    name,
    event && say(EVENT_WORDS[event]),
    method && methodName(method, say),
    amountCents === undefined ? null : amount(amountCents),
  ];
  return parts.filter(Boolean).join(' · ');
}
