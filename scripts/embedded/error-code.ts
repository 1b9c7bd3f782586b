/**
 * The code of an error of Node or of the system, such as EADDRINUSE, or undefined.
 * Not asked with `instanceof Error`: within jest, errors of Node's own modules come from another realm.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
