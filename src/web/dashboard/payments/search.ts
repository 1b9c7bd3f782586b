import type { CustomerSearch } from '../../../customers/find-customers.ts';
import { ID_PREFIX } from '../../../domain/ids.ts';
import { parseTaxId } from '../../../domain/tax-id.ts';
import { centsIn } from '../words.ts';

/** The kind of search, derived from the typed text. */
export type Sought =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'amount'; readonly cents: number }
  | CustomerSearch;

const PATHS = [
  [ID_PREFIX.checkout, '/checkouts/'],
  [ID_PREFIX.subscription, '/subscriptions/'],
  [ID_PREFIX.customer, '/customers/'],
  [ID_PREFIX.invoice, '/invoices/'],
  [ID_PREFIX.product, '/products/'],
  ...[ID_PREFIX.pixCharge, ID_PREFIX.boletoCharge, ID_PREFIX.cardCharge, ID_PREFIX.freeCharge].map(
    (prefix) => [prefix, '/payments/'] as const,
  ),
] as const;

const ID = /^[a-z_]+_[0-9A-Z]{26}$/;

/** Only a text with `R$` or cents is searched as an amount: digits alone may be an order number. */
const IS_AMOUNT = /^R\$|[.,]\d{2}$/i;

/** Parses the search box: an id, a tax id, an email address, an amount, or else an `externalId` or a name. */
export function soughtBy(text: string): Sought {
  const path = ID.test(text) && PATHS.find(([prefix]) => text.startsWith(prefix))?.[1];
  if (path) return { kind: 'page', path: `${path}${text}` };
  const taxId = parseTaxId(text);
  if (taxId !== null) return { kind: 'taxId', bare: taxId.bare };
  if (text.includes('@')) return { kind: 'email', email: text };
  const cents = IS_AMOUNT.test(text) ? centsIn(text) : null;
  if (cents !== null) return { kind: 'amount', cents };
  return { kind: 'text', text };
}
