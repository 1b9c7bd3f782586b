import { buildDynamicBrCode } from '../../domain/pix.ts';
import type { Beneficiary } from '../ports/payment.ts';
import type { BacenProfile } from './profile.ts';
import type { BankCharge } from './wire.ts';

/**
 * The BR Code of a charge: the bank's own, or one built from the charge's location.
 * @returns null if the bank gives neither.
 */
export function brCodeOf(
  charge: BankCharge,
  { codeField }: Pick<BacenProfile, 'codeField'>,
  { name, city }: Beneficiary,
): string | null {
  const code = charge[codeField] ?? charge.pixCopiaECola;
  if (code !== undefined) return code;
  const location = charge.location ?? charge.loc?.location;
  if (location === undefined) return null;
  return buildDynamicBrCode({
    location: location.replace(/^https?:\/\//, ''),
    merchantName: name,
    merchantCity: city,
  });
}
