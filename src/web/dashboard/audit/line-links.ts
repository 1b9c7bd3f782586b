import type { NamedLine } from '../../../audit-log/actor-names.ts';
import { ID_PREFIX } from '../../../domain/ids.ts';
import { type Html, html } from '../../frame/html.ts';
import { ROLE_NAMES } from '../../i18n/role-names.ts';
import { linkTo } from '../frame/place.ts';
import type { Shown } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';

/** Who acted, with a link to the person or key. */
export function whoOf(visit: Visit, line: NamedLine): Html {
  const { say } = visit;
  switch (line.actorKind) {
    case 'PERSON':
      return html`${linked(visit, line, line.userId, line.email ?? '')} ${line.role !== null && html`<span class="soft">${say(ROLE_NAMES[line.role])}</span>`}`;
    case 'API_KEY':
      return html`${linked(visit, line, line.keyId, line.keyDescription ?? '')} <code>…${line.keyLastFour}</code> <span class="soft">${say('dashboard.apiKey')}</span>`;
    case 'CLI':
      return html`${line.operator ?? say('dashboard.audit.erased')} <span class="soft">${say('dashboard.commandLine')}</span>`;
    case 'PAYER':
      return html`<span class="soft">${say('dashboard.audit.aPayer')}</span>`;
    default:
      return html`<span class="soft">${say('dashboard.audit.theServiceItself')}</span>`;
  }
}

/** What the line is about: its name and, below, its id. @param names of objects by their ids. */
export function subjectOf(visit: Visit, line: NamedLine, names: ReadonlyMap<string, string>): Html {
  const { subjectId, subjectEmail } = line;
  if (subjectId === null) return html`–`;
  const name = subjectEmail || names.get(subjectId);
  if (!name) return linked(visit, line, subjectId, html`<code>${subjectId}</code>`);
  return html`${linked(visit, line, subjectId, name)}<br><code class="code-of">${subjectId}</code>`;
}

/** Pages of objects by the start of their ids. The page of someone who left the team says that there is nothing. */
const PAGES = [
  [ID_PREFIX.user, '/team/'],
  [ID_PREFIX.apiKey, '/keys/'],
  [ID_PREFIX.webhook, '/webhooks/'],
  [ID_PREFIX.delivery, '/deliveries/'],
  [ID_PREFIX.event, '/events/'],
  [ID_PREFIX.checkout, '/checkouts/'],
  [ID_PREFIX.subscription, '/subscriptions/'],
  [ID_PREFIX.customer, '/customers/'],
  [ID_PREFIX.product, '/products/'],
  [ID_PREFIX.invoice, '/invoices/'],
  [ID_PREFIX.subAccount, '/sub-accounts/'],
  [ID_PREFIX.providerAccount, '/accounts/'],
  [ID_PREFIX.pixCharge, '/payments/'],
  [ID_PREFIX.boletoCharge, '/payments/'],
  [ID_PREFIX.cardCharge, '/payments/'],
  [ID_PREFIX.freeCharge, '/payments/'],
] as const;

/** Actions on payouts and transfers. Refunds, which have no page, have ids of the same kind. */
const PAYOUT_ACTIONS = /^(payouts|pix)\//;

function pageOf({ action }: NamedLine, id: string | null): string | undefined {
  if (id?.startsWith(ID_PREFIX.payout)) return PAYOUT_ACTIONS.test(action) ? '/payouts/' : undefined;
  return PAGES.find(([prefix]) => id?.startsWith(prefix))?.[1];
}

/** A link to the object in the line's environment; the text alone if the object has no page. */
export function linked(visit: Visit, line: NamedLine, id: string | null, text: Shown): Html {
  const to = pageOf(line, id);
  if (id === null || to === undefined) return html`${text}`;
  const place = { storeId: visit.store.id, devMode: line.devMode ?? visit.devMode };
  return html`<a href="${linkTo(place, `${to}${id}`)}">${text}</a>`;
}
