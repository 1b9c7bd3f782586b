import { parseBrCode } from './pix.ts';
import { parseTaxId } from './tax-id.ts';

/**
 * The kinds of PIX keys of Bacen's directory (DICT), and a BR Code, which names the key inside (contract
 * section 3).
 */
export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'RANDOM', 'BR_CODE'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

/** The format of each type of key, as the reason of a refusal. */
export const PIX_KEY_RULES: Readonly<Record<PixKeyType, string>> = {
  CPF: 'must be a CPF with right check digits, such as 529.982.247-25',
  CNPJ: 'must be a CNPJ with right check digits, such as 12.ABC.345/01DE-35',
  PHONE: 'must be a Brazilian phone number with area code, such as +5511912345678',
  EMAIL: 'must be an e-mail address of at most 77 characters, such as ana@example.com',
  RANDOM: 'must be a random key (UUID), such as 2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50',
  BR_CODE: 'must be a PIX copy-and-paste code that carries its key and a right checksum',
};

/** DICT stores e-mail addresses of at most 77 characters (Bacen, "Manual Operacional do DICT"). */
const MAX_EMAIL_LENGTH = 77;
/** ASCII only, so that two addresses that look alike are never different keys. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;

/**
 * A key in the form that DICT stores: tax ids bare, phones as +55 and digits, e-mail addresses and random
 * keys in lower case. A BR Code stays as it is.
 * @returns null if `text` is no key of that type.
 */
export function parsePixKey(type: PixKeyType, text: string): string | null {
  switch (type) {
    case 'CPF':
    case 'CNPJ': {
      const taxId = parseTaxId(text);
      return taxId?.kind === type ? taxId.bare : null;
    }
    case 'PHONE':
      return phoneOf(text);
    case 'EMAIL': {
      const isEmail = text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
      return isEmail ? text.toLowerCase() : null;
    }
    case 'RANDOM':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;
    case 'BR_CODE':
      return parseBrCode(text) === null ? null : text;
  }
}

/**
 * Area codes are 11 to 99 without a zero; mobile numbers have nine digits and begin with 9 (Anatel, Resolução
 * 749/2022).
 */
const PHONE = /^[1-9]{2}(?:9\d{8}|[2-5]\d{7})$/;
/** Area code and mobile number. */
const MAX_NATIONAL_DIGITS = 11;

function phoneOf(text: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  // A plus precedes the country code. Without it, 55 may be an area code, so only a longer number starts with
  // the country code.
  const saysCountry = text.startsWith('+') || digits.length > MAX_NATIONAL_DIGITS;
  if (saysCountry && !digits.startsWith('55')) return null;
  const national = saysCountry ? digits.slice(2) : digits;
  return PHONE.test(national) ? `+55${national}` : null;
}

/**
 * Checks that a BR Code names no amount or exactly this one. @returns the other amount that it names.
 */
export function otherAmountOf(brCode: string, amountCents: number): number | null {
  const asked = parseBrCode(brCode)?.amountCents ?? null;
  return asked === amountCents ? null : asked;
}
