import type { PixDestination } from './payout.ts';
import { parseBrCode } from './pix.ts';
import { PIX_KEY_TYPES, parsePixKey } from './pix-key.ts';

/**
 * The PIX key that a payout pays, as Bacen's directory stores it. A BR Code is the key inside: another code for the same
 * key pays the same payee.
 */
export function payeeKeyOf({ type, key }: PixDestination): string {
  if (type !== 'BR_CODE') return key;
  const inside = parseBrCode(key)?.key ?? key;
  for (const keyType of PIX_KEY_TYPES) {
    const parsed = keyType === 'BR_CODE' ? null : parsePixKey(keyType, inside);
    if (parsed !== null) return parsed;
  }
  return inside;
}
