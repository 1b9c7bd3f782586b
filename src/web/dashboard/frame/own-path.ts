/** Only paths of the dashboard, so that a link to the sign-in page or a forged referrer cannot redirect to another site. */
const OWN_PATH = /^\/dashboard\/[\w/-]*(?:\?[\w=&%.:+-]*)?$/;

/** The path to continue to; the first page if it is not a path of the dashboard. */
export function ownPath(text: string | null): string {
  return text !== null && OWN_PATH.test(text) ? text : '/dashboard';
}
