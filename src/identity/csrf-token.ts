import { hash, timingSafeEqual } from 'node:crypto';

/** The CSRF token of a session's forms. It is derived from the session token and does not reveal it. */
export function csrfTokenOf(sessionToken: string): string {
  return hash('sha256', `csrf ${sessionToken}`, 'base64url');
}

/** Whether a form has this CSRF token. It takes as long for every wrong token of the right length. */
export function hasCsrfToken(form: URLSearchParams, csrfToken: string): boolean {
  const sent = Buffer.from(form.get('csrf') ?? '');
  const own = Buffer.from(csrfToken);
  return sent.length === own.length && timingSafeEqual(sent, own);
}
