import { decidedAtOnce } from '../../domain/charge-deadlines.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { NO_PROVIDER } from '../../providers/no-provider.ts';
import type { Method } from './method.ts';

/** For payments of nothing: a coupon covers everything, or a trial begins (contract sections 5 and 6). */
export const free: Method<'FREE'> = {
  idKind: 'freeCharge',
  ...METHOD_TRAITS.FREE,
  served: (provider) => provider,
  givenUpAs: 'processing_error',
  refundRefusal: 'TRANSACTION_NOT_REFUNDABLE',
  settlesAt: (paidAt) => paidAt,
  issue({ id, now }, terms) {
    return { provider: NO_PROVIDER, providerReference: id, ...terms, ...decidedAtOnce(now) };
  },
};
