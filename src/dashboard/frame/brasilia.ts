/** Brasília has had no summer time since 2019 (Decreto 9.772). */
const OFFSET = '-03:00';
const OFFSET_MS = 3 * 60 * 60 * 1_000;

/** What a field for day and time holds, as an instant with its offset. */
export function inBrasilia(local: string): string {
  return `${local.length === 16 ? `${local}:00` : local}${OFFSET}`;
}

/** An instant as a field for day and time holds it, to the minute where that is exact and else to the second. */
export function localTime(instant: Date): string {
  const text = new Date(instant.getTime() - OFFSET_MS).toISOString().slice(0, 19);
  return text.endsWith(':00') ? text.slice(0, 16) : text;
}
