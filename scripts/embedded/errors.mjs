/**
 * The code of an error of Node or of the system, such as EADDRINUSE, or undefined.
 * Not asked with `instanceof Error`: within jest, errors of Node's own modules come from another realm.
 */
export function errorCode(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** What went wrong, in words for a person: with its cause, as "fetch failed" alone says nothing. */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer in time';
  return error.cause instanceof Error ? `${error.message}, ${error.cause.message}` : error.message;
}
