/** How many ids the trigger keeps: they are stored with the workflow. Recebe repeats a delivery for three days. */
export const KEPT_IDS = 200;

/** The ids after a delivery, newest first; null if it is a repeat. @param stored what the workflow has. */
export function withNewId(stored: unknown, id: string): string[] | null {
  const recent = Array.isArray(stored) ? (stored as string[]) : [];
  return recent.includes(id) ? null : [id, ...recent].slice(0, KEPT_IDS);
}
