import type { ApiContext } from './state.ts';

/** What `Link` says of an answer that goes on: the same list from where it ends (RFC 8288). */
export function nextPageLink({ path, querystring }: ApiContext, publicUrl: string, cursor: string): string {
  const query = new URLSearchParams(querystring);
  query.set('after', cursor);
  return `<${publicUrl}${path}?${query}>; rel="next"`;
}
