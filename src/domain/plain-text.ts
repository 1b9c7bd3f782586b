/** Invisible or reordering characters: controls, bidi controls, zero-width and other format characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;
const LAYOUT = new Set(['\n', '\t']);

/**
 * Text of a stranger for people to read: each invisible character is replaced by its code point, such as
 * `<U+202E>`, so it can neither hide nor reorder text. Line breaks and tabs stay.
 * @param maxCharacters a longer text is cut and ends with an ellipsis.
 */
export function visibleText(text: string, maxCharacters: number): string {
  const characters = [...text.replace(/\r\n?/g, '\n')];
  const kept = characters.slice(0, maxCharacters).map(visible).join('');
  return characters.length > maxCharacters ? `${kept}…` : kept;
}

function visible(character: string): string {
  if (LAYOUT.has(character) || !INVISIBLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
