/** Brasília has had no daylight saving time since 2019 (Decreto 9.772). */
const OFFSET = '-03:00';
const OFFSET_MS = 3 * 60 * 60 * 1_000;

/** Parses a date-time field as an instant in Brasília. */
export function inBrasilia(local: string): string {
  return `${local.length === 16 ? `${local}:00` : local}${OFFSET}`;
}

/** The value of a date-time field for an instant: to the minute if that is exact, else to the second. */
export function localTime(instant: Date): string {
  const text = new Date(instant.getTime() - OFFSET_MS).toISOString().slice(0, 19);
  return text.endsWith(':00') ? text.slice(0, 16) : text;
}
