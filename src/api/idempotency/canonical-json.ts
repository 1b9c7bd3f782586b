/**
 * Serializes a value so that two values have the same text exactly if they are equal as JSON. Objects are
 * sorted by key, because some clients change the field order between retries (RFC 8259, section 4).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (isObject(inner) ? sorted(inner) : inner));
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
