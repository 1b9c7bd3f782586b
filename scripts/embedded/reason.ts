/** What went wrong, in words for a person: with its cause, as "fetch failed" alone says nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer in time';
  return error.cause instanceof Error ? `${error.message}, ${error.cause.message}` : error.message;
}
