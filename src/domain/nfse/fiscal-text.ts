/** Punctuation of Unicode with a form in Latin-1. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u2022': '-',
  '\u2044': '/',
  '\u20ac': 'EUR',
};

/** Nothing that is printed: controls, soft hyphens, and marks that join or reorder other characters. */
const INVISIBLE = /[\p{Cf}\p{Mn}\p{Me}\p{Cs}\p{Co}\p{Cn}]/gu;
const SPACES = /[\p{Z}\p{Cc}]+/gu;

/**
 * Text as documents of the NFS-e may have it (`TSString`): characters of Latin-1 that are printed, without spaces at its ends. Other
 * letters lose their marks or become `?`; symbols such as emoji are left out.
 * @param maxLength in characters. @returns an empty text if nothing is left.
 */
export function fiscalText(text: string, maxLength: number): string {
  const plain = [...text.normalize('NFC')].map(latin1).join('').replace(SPACES, ' ').trim();
  return plain.slice(0, maxLength).trimEnd();
}

function latin1(char: string): string {
  if (/[\p{Z}\p{Cc}]/u.test(char)) return ' ';
  if (char.replace(INVISIBLE, '') === '') return '';
  if (char <= '\u00ff') return char;
  const replacement = REPLACEMENTS[char];
  if (replacement !== undefined) return replacement;
  const decomposed = char.normalize('NFKD').replace(INVISIBLE, '');
  const known = [...decomposed].filter((each) => each <= '\u00ff').join('');
  if (known !== '') return known;
  return /\p{L}/u.test(char) ? '?' : '';
}
