import { accountsById } from '../../../accounts/provider-accounts.ts';
import type { NamedLine } from '../../../audit-log/actor-names.ts';
import { type Subject, subjectsOf } from '../../../audit-log/subjects.ts';
import { ID_PREFIX, type ProviderAccountId } from '../../../domain/ids.ts';
import { institutionName } from '../accounts/account-kinds.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { EVENT_WORDS } from '../webhooks/event-words.ts';
import { amount, methodName } from '../words.ts';
import { idsIn } from './detail-words.ts';

/** The names of the objects that lines and their details are about, by id. Objects without a name are left out. */
export async function subjectNames(
  visit: Visit,
  lines: readonly Pick<NamedLine, 'subjectId' | 'details'>[],
): Promise<ReadonlyMap<string, string>> {
  const { em, store, say } = visit;
  const ids = [
    ...new Set(lines.flatMap(({ subjectId, details }) => [subjectId ?? [], idsIn(details)].flat())),
  ];
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
