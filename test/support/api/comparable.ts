/**
 * What differs from run to run, and what stands for it. Digits in a JSON text are numbers, in quotes text.
 */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<instant>"'],
  [/"expiryMonth":\d+,"expiryYear":\d+/g, '"expiry":"<month>"'],
  [/"lastDay":"\d{4}-\d\d-\d\d"/g, '"lastDay":"<date>"'],
  [/"(dueDate|firstDate)":"\d{4}-\d\d-\d\d"/g, '"$1":"<date>"'],
  [/"20\d\d-\d{6}"/g, '"<invoice number>"'],
  [/"durationMs":\d+/g, '"durationMs":"<number>"'],
  [/"responseExcerpt":"[^"]+"/g, '"responseExcerpt":"<text>"'],
  [/"000201[^"]+6304[0-9A-F]{4}"/g, '"<BR Code>"'],
  [/"data:image\/png;base64,[^"]+"/g, '"<QR code>"'],
  [/one-click\/[\w.-]+/g, 'one-click/<link>'],
  [/unsubscribe\/[\w-]+/g, 'unsubscribe/<token>'],
  [/"\d{47}"/g, '"<digitable line>"'],
  [/"E99999999\d{12}[0-9A-Z]{11}"/g, '"<end-to-end id>"'],
];

const ID = /((?:[a-z]+_)+)[0-9A-HJKMNP-TV-Z]{26}/g;

/**
 * JSON that the service sent, or that the API reference shows, without what differs from run to run: ids are
 * numbered in the order in which they come, so that the same id at two places is the same number, and each
 * kind of instant, code and address has one name. The two texts must then be equal, to the last field
 * and value.
 *
 * @param url where the service is reached; in the reference it is `https://pay.example.com`
 */
export function comparable(value: unknown, url: string): unknown {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => numbers.get(id) ?? numbers.set(id, numbers.size + 1).size;
  let text = JSON.stringify(withSortedKeys(value)).replaceAll(url, 'https://pay.example.com');
  for (const [pattern, name] of VARIABLE) text = text.replaceAll(pattern, name);
  return JSON.parse(text.replaceAll(ID, (id, prefix) => `${prefix}${numberOf(id)}`));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withSortedKeys(inner)]));
}
