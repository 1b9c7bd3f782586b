import { parseAccentColor } from './accent-color.ts';
import { linkableUrl } from './checkout.ts';
import { isEmail } from './email.ts';
import { parseTaxId } from './tax-id.ts';

/** Far beyond any company's name; boletos and BR Codes print what fits. */
const MAX_LABEL_LENGTH = 200;
const MAX_FOOTER_LENGTH = 500;
/** A length that all browsers and proxies support. */
const MAX_URL_LENGTH = 2_048;

/** Converts an input to its stored form, or null if it is invalid; `rule` says what is expected. */
interface Field {
  readonly parse: (text: string) => string | null;
  readonly rule: string;
}

const LABEL_RULE = `must be 1 to ${MAX_LABEL_LENGTH} characters without line breaks`;

/** A store's profile for its payers. */
const FIELDS = {
  name: { parse: labelOf, rule: LABEL_RULE },
  city: { parse: labelOf, rule: LABEL_RULE },
  taxId: {
    parse: (text) => parseTaxId(text.trim())?.bare ?? null,
    rule: 'must be a CPF or CNPJ with right check digits',
  },
  website: { parse: urlOf, rule: 'must be a complete address, such as https://example.com' },
  logoUrl: {
    parse: (text) => httpsOnly(urlOf(text)),
    rule: 'must be the https address of a picture, such as https://example.com/logo.png',
  },
  accentColor: { parse: parseAccentColor, rule: 'must be a colour such as #0b5d46' },
  supportEmail: {
    parse: (text) => (isEmail(text.trim()) ? text.trim() : null),
    rule: 'must be an e-mail address, such as ajuda@example.com',
  },
  supportPhone: { parse: phoneOf, rule: 'must be a phone number, such as +55 11 4002-8922' },
  supportUrl: { parse: urlOf, rule: 'must be a complete address, such as https://example.com/ajuda' },
  legalFooter: {
    parse: (text) => textOf(text, MAX_FOOTER_LENGTH),
    rule: `must be 1 to ${MAX_FOOTER_LENGTH} characters without line breaks`,
  },
} as const satisfies Record<string, Field>;

export type StoreField = keyof typeof FIELDS;

/** Printed on codes and slips, so every store must have them. */
type NeededField = 'name' | 'city';

/** The stored profile. */
export type StoreProfile = {
  readonly [field in StoreField]: field extends NeededField ? string : string | null;
};

/** A change: missing fields stay, null removes a field. */
export type GivenStoreProfile = {
  readonly [field in StoreField]?: StoreProfile[field] | undefined;
};

/** All invalid fields with their rules. The message contains the rules, not the input. */
export class WrongStoreFields extends Error {
  readonly rules: ReadonlyMap<StoreField, string>;

  constructor(fields: readonly StoreField[]) {
    super(fields.map((field) => `${field}: ${FIELDS[field].rule}`).join('; '));
    this.name = 'WrongStoreFields';
    this.rules = new Map(fields.map((field) => [field, FIELDS[field].rule]));
  }
}

/**
 * Normalizes the input: trimmed, tax ids without punctuation, colours in lower case.
 *
 * @throws WrongStoreFields with every invalid field.
 */
export function checkedStoreProfile(given: GivenStoreProfile): Partial<StoreProfile> {
  const wrong: StoreField[] = [];
  const entries = (Object.keys(FIELDS) as StoreField[]).flatMap((field) => {
    const text = given[field];
    if (text === undefined) return [];
    const kept = text === null ? null : FIELDS[field].parse(text);
    if (text !== null && kept === null) wrong.push(field);
    return [[field, kept]];
  });
  if (wrong.length > 0) throw new WrongStoreFields(wrong);
  return Object.fromEntries(entries);
}

function labelOf(text: string): string | null {
  return textOf(text, MAX_LABEL_LENGTH);
}

function textOf(text: string, maxLength: number): string | null {
  const trimmed = text.trim();
  const isRight = trimmed !== '' && trimmed.length <= maxLength && !/\p{Cc}/u.test(trimmed);
  return isRight && trimmed.isWellFormed() ? trimmed : null;
}

/** The URL parser accepts line breaks within an address, which would break every place that shows it. */
function urlOf(text: string): string | null {
  const trimmed = text.trim();
  return /\s/.test(trimmed) || trimmed.length > MAX_URL_LENGTH ? null : linkableUrl(trimmed);
}

function httpsOnly(url: string | null): string | null {
  return url?.startsWith('https:') ? url : null;
}

/** With or without country code: 8 digits of a local number, 15 at most (ITU-T E.164). */
function phoneOf(text: string): string | null {
  const trimmed = text.trim();
  const digits = trimmed.replace(/\D/g, '').length;
  return /^\+?[\d\s().-]+$/.test(trimmed) && digits >= 8 && digits <= 15 ? trimmed : null;
}
