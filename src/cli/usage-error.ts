/** An error that the person at the command line can fix; shown as one line, without a stack. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Longer than any company's name; boletos and BR Codes truncate it. */
const MAX_TEXT_LENGTH = 200;

/**
 * The trimmed value of an option that names something.
 *
 * @throws UsageError if it is empty, too long, or contains a line break.
 */
export function label(option: string, value: string): string {
  const text = value.trim();
  if (text !== '' && text.length <= MAX_TEXT_LENGTH && !/\p{Cc}/u.test(text) && text.isWellFormed())
    return text;
  throw new UsageError(`${option}: must be 1 to ${MAX_TEXT_LENGTH} characters without line breaks`);
}
