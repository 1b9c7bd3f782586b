/** RFC 3696, erratum 1690. */
const MAX_EMAIL_LENGTH = 254;

/** Enough to catch a typing mistake; whether an address exists only a message to it tells. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@.<>,;"]+$/.test(text);
}
