import { hash } from 'node:crypto';

/** The CSRF token of a session's forms. It is derived from the session token and does not reveal it. */
export function csrfTokenOf(sessionToken: string): string {
  return hash('sha256', `csrf ${sessionToken}`, 'base64url');
}
