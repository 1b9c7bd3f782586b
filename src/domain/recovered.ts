/** The `content_hash` of a row that was rebuilt after a restore: its original request is not known. */
export const RECOVERED_CONTENT = 'recovered';
