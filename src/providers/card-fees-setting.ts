import { z } from 'zod';
import { CARD_FEES_RULE, readCardFees } from '../domain/card-fees.ts';

/** Long enough for a fee per number of installments. */
const MAX_LENGTH = 300;

/**
 * The setting `cardFees` of an account: what its provider keeps of card payments. Only the contract of its owner says it, so no
 * provider can be asked. Fees of the first numbers of installments, without a gap.
 */
export const cardFeesSetting = z
  .string(CARD_FEES_RULE)
  .max(MAX_LENGTH, CARD_FEES_RULE)
  .transform((text, context) => {
    const fees = readCardFees(text);
    const isWithoutGap = fees?.has(1) === true && fees.has(fees.size);
    if (fees !== null && isWithoutGap) return fees;
    context.addIssue({ code: 'custom', message: CARD_FEES_RULE });
    return z.NEVER;
  });
