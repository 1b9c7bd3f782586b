import type { ApiContext } from './state.ts';

/** The `Link` header to the next page of a list (RFC 8288). */
export function nextPageLink({ path, querystring }: ApiContext, publicUrl: string, cursor: string): string {
  const query = new URLSearchParams(querystring);
  query.set('after', cursor);
  return `<${publicUrl}${path}?${query}>; rel="next"`;
}
