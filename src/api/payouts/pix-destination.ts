import { formatBrl } from '../../domain/money.ts';
import type { PixDestination } from '../../domain/payout.ts';
import { otherAmountOf, PIX_KEY_RULES, parsePixKey } from '../../domain/pix-key.ts';
import { fieldError } from '../frame/errors.ts';

/** Where the key stands in the bodies that send money (contract section 3). */
const PATH = 'pix.key';

/**
 * The key that money is sent to, as it is stored.
 * @throws ApiError 422 at `pix.key` where it is no key of its type, or a BR Code that asks for another amount.
 */
export function pixDestination({ type, key: text }: PixDestination, amountCents: number): PixDestination {
  const key = parsePixKey(type, text);
  if (key === null) throw fieldError(422, 'INVALID_PIX_KEY', PATH, PIX_KEY_RULES[type]);
  const asked = type === 'BR_CODE' ? otherAmountOf(key, amountCents) : null;
  if (asked === null) return { type, key };
  const message = `asks for ${formatBrl(asked)} (${asked} cents), but amount is ${formatBrl(amountCents)} (${amountCents} cents)`;
  throw fieldError(422, 'INVALID_PIX_KEY', PATH, message);
}
