import type { ChargeMethod } from '../../domain/charge.ts';
import { boleto } from './boleto.ts';
import { card } from './card.ts';
import { free } from './free.ts';
import type { Method } from './method.ts';
import { pix } from './pix.ts';

/** Every payment method. A new one is a file in this folder; the compiler lists the other places. */
export const METHODS: { readonly [Name in ChargeMethod]: Method<Name> } = {
  PIX: pix,
  BOLETO: boleto,
  CARD: card,
  FREE: free,
};
