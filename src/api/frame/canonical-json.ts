/**
 * JSON text that two values share exactly when they are equal as JSON: the order of an object's fields means
 * nothing there (RFC 8259, section 4), and clients in many languages send them in another order each time.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (isObject(inner) ? sorted(inner) : inner));
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether a JSON value is one with fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
