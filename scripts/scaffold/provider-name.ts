/** The forms of a provider's name in the code: for `open-bank` they are `OpenBank` and `OPEN_BANK`. */
export interface ProviderName {
  /** As given: the folder, and the name for `accounts add --provider`. */
  readonly name: string;
  readonly inTypes: string;
  readonly inConstants: string;
}

/** Longer names make lines of the created files longer than the formatter allows. */
const MAX_LENGTH = 24;
const WORDS = /^[a-z]+(-[a-z]+)*$/;

/** A command that cannot be carried out. The message says what to change. */
export class ScaffoldError extends Error {}

/** @throws ScaffoldError if the name is missing or has another form. */
export function readProviderName(name = ''): ProviderName {
  if (name === '') throw new ScaffoldError('usage: npm run scaffold-provider -- <name>');
  if (!WORDS.test(name))
    throw new ScaffoldError(`"${name}": use lower-case letters, with a hyphen between words: open-bank`);
  if (name.length > MAX_LENGTH)
    throw new ScaffoldError(`"${name}": use at most ${MAX_LENGTH} letters and hyphens`);
  const words = name.split('-');
  const inTypes = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return { name, inTypes, inConstants: words.join('_').toUpperCase() };
}
