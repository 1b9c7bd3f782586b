import { decidedAtOnce } from '../../domain/charge-deadlines.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { withPort } from '../../providers/provider.ts';
import type { Method } from './method.ts';

/** What card networks take in Brazil from payment to settlement (contract section 4, "Settlement"). */
const SETTLEMENT_DAYS = 30;

/** The provider knows a card payment by the charge's id; its issuer is asked as soon as the row exists. */
export const card: Method<'CARD'> = {
  idKind: 'cardCharge',
  ...METHOD_TRAITS.CARD,
  served: (provider) => withPort(provider, 'cards'),
  givenUpAs: 'processing_error',
  refundRefusal: null,
  /** At the start of the thirtieth day after the payment. Whole days, so that payments of one day settle together. */
  settlesAt: (paidAt) => saoPauloMidnight(addDays(saoPauloDateOf(paidAt), SETTLEMENT_DAYS)),
  issue({ id, provider, now }, terms) {
    return { provider: provider.name, providerReference: id, ...terms, ...decidedAtOnce(now) };
  },
};
