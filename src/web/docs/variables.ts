/** Does not occur in an example, and JSON keeps it as it is in strings. */
const MARK = '\uE000';

/** A variable within the text of an example: the program puts its value there. */
export function reference(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** The texts and variables that a text consists of, in order. */
export function partsOf(text: string): readonly ({ readonly text: string } | { readonly name: string })[] {
  return text
    .split(MARK)
    .map((part, index) => (index % 2 === 0 ? { text: part } : { name: part }))
    .filter((part) => !('text' in part) || part.text !== '');
}

/** The variables in a value, also those inside its objects and lists. */
export function namesUsedIn(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return partsOf(text).flatMap((part) => ('name' in part ? [part.name] : []));
}
