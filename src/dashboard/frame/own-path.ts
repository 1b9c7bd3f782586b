/** Only pages of the dashboard: nobody is sent elsewhere by a link to the sign-in, or by a forged referrer. */
const OWN_PATH = /^\/dashboard\/[\w/-]*(?:\?[\w=&%.:+-]*)?$/;

/** A path to go on to; the first page where it is none of ours. */
export function ownPath(text: string | null): string {
  return text !== null && OWN_PATH.test(text) ? text : '/dashboard';
}
