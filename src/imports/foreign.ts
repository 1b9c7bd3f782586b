/* Reads of answers that nobody has checked: anything may be missing or have another type. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not empty; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The year 2200: no date of a shop is later, and the calendar of JavaScript ends. */
export const LAST_INSTANT_MS = Date.UTC(2200, 0);

/** An instant in seconds since 1970; null for anything else, and for one that no shop can mean. */
export function instantOfSeconds(value: unknown): Date | null {
  const seconds = numberOf(value);
  const isPossible = seconds !== null && seconds >= 0 && seconds * 1_000 < LAST_INSTANT_MS;
  return isPossible ? new Date(seconds * 1_000) : null;
}

/** The id of an object, or the id itself. */
export function idOf(value: unknown): string | null {
  return textOf(value) ?? textOf(fieldsOf(value).id);
}

/** Metadata of texts, numbers and switches. */
export function metadataOf(value: unknown): Record<string, string | number | boolean> {
  const kept = Object.entries(fieldsOf(value)).filter(([, each]) =>
    ['string', 'number', 'boolean'].includes(typeof each),
  );
  return Object.fromEntries(kept) as Record<string, string | number | boolean>;
}
