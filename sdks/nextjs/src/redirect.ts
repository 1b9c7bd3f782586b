import type { NextRequest } from 'next/server.js';

/** A redirect that the browser follows with a GET, and keeps nowhere. */
export function redirectTo(url: string): Response {
  return new Response(null, { status: 303, headers: { location: url, 'cache-control': 'no-store' } });
}

/** An answer without a page of its own. */
export function refusal(status: 400 | 401, message: string): Response {
  return new Response(message, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** Whether a browser or `next/link` only loads the address in advance: nobody has chosen to pay. */
export function isPrefetch({ headers }: NextRequest): boolean {
  const purposes = [headers.get('sec-purpose'), headers.get('purpose')];
  return headers.has('next-router-prefetch') || purposes.some((purpose) => purpose?.includes('prefetch'));
}

/** The answer to a prefetch. */
export function nothing(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}
