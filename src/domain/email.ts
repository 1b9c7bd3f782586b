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

/**
 * The mailbox of an address, for counting what it gets. Mail programs convert the domain, so `EXAMPLE.com` in full-width letters is the
 * same one (IDNA, UTS #46). Many servers deliver `ana+1` and `ana+2` to `ana` (RFC 5233).
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email
    .slice(0, at)
    .toLowerCase()
    .split(/(?<=.)\+/);
  const domain = email.slice(at + 1);
  return `${local}@${URL.parse(`http://${domain}`)?.hostname ?? domain.toLowerCase()}`;
}
