import { isCivilDate } from '../../domain/civil-date.ts';

/** A cell's value, or what would be right. */
export type ReadCell = { readonly value: unknown } | { readonly problem: string };

/** Reads a cell that is not empty. */
export type CellReader = (text: string) => ReadCell;

const MONEY_RULE = 'must be an amount in reais, such as 49,90 or 1.234,56 or 1234.56';

export const textCell: CellReader = (value) => ({ value });

/**
 * An amount in reais, in cents. Brazil writes 1.234,56, programs write 1234.56. A lone 1.234 could be either, so it is refused:
 * a guess would be wrong by a factor of a thousand.
 */
export const moneyCell: CellReader = (text) => {
  const bare = text.replace(/^R\$\s*/, '');
  const brazilian = /^(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})$/.exec(bare);
  const plain = /^(\d+)(?:\.(\d{1,2}))?$/.exec(bare);
  const [, whole, cents = ''] = brazilian ?? plain ?? [];
  if (whole === undefined) return { problem: MONEY_RULE };
  const digits = `${whole.replaceAll('.', '')}${cents.padEnd(2, '0')}`;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? { value } : { problem: MONEY_RULE };
};

export const countCell: CellReader = (text) =>
  /^\d{1,9}$/.test(text) ? { value: Number(text) } : { problem: 'must be a whole number, such as 3' };

/** A percentage with a comma or a point. */
export const percentCell: CellReader = (text) =>
  /^\d{1,3}(?:[.,]\d{1,2})?%?$/.test(text)
    ? { value: Number(text.replace('%', '').replace(',', '.')) }
    : { problem: 'must be a percentage, such as 12,5' };

const YES = ['yes', 'true', '1', 'sim', 'verdadeiro'];
const NO = ['no', 'false', '0', 'não', 'nao', 'falso'];

export const switchCell: CellReader = (text) => {
  const word = text.toLowerCase();
  if (YES.includes(word)) return { value: true };
  return NO.includes(word) ? { value: false } : { problem: 'must be yes or no' };
};

/** A day as people in Brazil write it, a day of ISO 8601, or an instant, which the row's schema reads. */
export const dateCell: CellReader = (text) => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  if (day === undefined) return { value: text };
  const iso = `${year}-${month}-${day}`;
  return isCivilDate(iso) ? { value: iso } : { problem: 'must be a day of the calendar, such as 31/01/2027' };
};

/** One of these words, in any case. */
export function wordCell(words: Readonly<Record<string, string>>): CellReader {
  return (text) => {
    const value = words[text.toUpperCase()];
    return value === undefined ? { problem: `must be one of ${Object.keys(words).join(', ')}` } : { value };
  };
}

const ADD_ONS_RULE =
  'must be products with | between them, each with its quantity and price if there are any, such as support|seat:3 or seat:3:19,90';

/** Add-ons: `product`, `product:quantity` or `product:quantity:price`, with a bar between two. An id may have colons. */
export const addOnsCell: CellReader = (text) => {
  const addOns = text.split('|').map((each) => addOnOf(each.trim()));
  return addOns.every((addOn) => addOn !== null) ? { value: addOns } : { problem: ADD_ONS_RULE };
};

function addOnOf(text: string): object | null {
  const [, product = text, quantity = '1', price] = /^(.+?):(\d{1,7})(?::([^:]+))?$/.exec(text) ?? [];
  const unitPrice = price === undefined ? { value: null } : moneyCell(price);
  if (product === '' || 'problem' in unitPrice) return null;
  return { product, quantity: Number(quantity), unitPrice: unitPrice.value };
}
