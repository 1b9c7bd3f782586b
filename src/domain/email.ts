/** RFC 3696, erratum 1690. */
const MAX_EMAIL_LENGTH = 254;

/**
 * Without what delimits or quotes an address in a mail (RFC 5322), and without control and invisible characters: mail programs would
 * replace them and send to another mailbox.
 */
const LOCAL_PART = String.raw`[^\s@<>,;:"()\[\]\\\p{Cc}\p{Cf}]+`;
const DOMAIN = String.raw`[^\s@<>,;:"()\[\]\\\p{Cc}\p{Cf}]+\.[^\s@.<>,;:"()\[\]\\\p{Cc}\p{Cf}]+`;
const EMAIL = new RegExp(`^${LOCAL_PART}@${DOMAIN}$`, 'u');

/** Enough to catch a typing mistake; whether an address exists only a message to it tells. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}
