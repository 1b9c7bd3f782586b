import { ID_PREFIX, type IdKind } from '../../domain/ids.ts';
import { ApiError } from './errors.ts';
import type { ApiRequest } from './request.ts';
import type { Route } from './route.ts';

/** Kinds of ids by prefix, with the operations that accept them. */
const KINDS: readonly {
  readonly kinds: readonly IdKind[];
  readonly name: string;
  readonly at: readonly string[];
}[] = [
  { kinds: ['pixCharge', 'boletoCharge'], name: 'a charge', at: ['/payments/', '/transparents/'] },
  { kinds: ['cardCharge', 'freeCharge'], name: 'a payment', at: ['/payments/', '/transparents/'] },
  { kinds: ['checkout'], name: 'a checkout or payment link', at: ['/checkouts/', '/payment-links/'] },
  { kinds: ['subscription'], name: 'a subscription', at: ['/subscriptions/'] },
  { kinds: ['invoice'], name: 'an invoice', at: ['/invoices/'] },
  { kinds: ['nfse'], name: 'an NFS-e', at: ['/invoices/nfse/'] },
  { kinds: ['product'], name: 'a product', at: ['/products/'] },
  { kinds: ['customer'], name: 'a customer', at: ['/customers/'] },
  { kinds: ['webhook'], name: 'a webhook', at: ['/webhooks/'] },
  { kinds: ['delivery'], name: 'a delivery', at: ['/webhooks/deliveries/', '/webhooks/resend'] },
  { kinds: ['event'], name: 'an event', at: ['/events/'] },
  { kinds: ['payout'], name: 'a payout or transfer', at: ['/payouts/', '/pix/'] },
];

/**
 * Adds a hint to a 404 if the id's prefix belongs to another kind of object. Only the prefix is checked, so
 * the hint reveals nothing about objects of other stores.
 */
export function withIdHint(error: unknown, { path }: Route, { query }: ApiRequest): unknown {
  const { id } = query as { readonly id?: string };
  if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND' || id === undefined) return error;
  const kind = KINDS.find(({ kinds }) => kinds.some((each) => id.startsWith(ID_PREFIX[each])));
  if (kind === undefined || kind.at.some((place) => path.startsWith(place))) return error;
  // A message with a colon is already specific.
  if (error.message.includes(':')) return error;
  const prefix = id.slice(0, id.lastIndexOf('_') + 1);
  const message = `${error.message}: an id that begins with ${prefix} is that of ${kind.name}, see ${kind.at[0]}get`;
  return new ApiError(404, 'NOT_FOUND', message);
}
