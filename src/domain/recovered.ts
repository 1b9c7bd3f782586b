/** In `content_hash` of a row that was rebuilt after a restore: the request that created it is not known. */
export const RECOVERED_CONTENT = 'recovered';
