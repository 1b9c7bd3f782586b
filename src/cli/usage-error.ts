/** What the person at the command line can put right; shown as one line, without a stack. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Far beyond any company's name; boletos and BR Codes print what fits. */
const MAX_TEXT_LENGTH = 200;

/**
 * The value of an option that names something, without the spaces around it.
 *
 * @throws UsageError when it is empty, too long, or would break a line.
 */
export function label(option: string, value: string): string {
  const text = value.trim();
  if (text !== '' && text.length <= MAX_TEXT_LENGTH && !/\p{Cc}/u.test(text) && text.isWellFormed())
    return text;
  throw new UsageError(`${option}: must be 1 to ${MAX_TEXT_LENGTH} characters without line breaks`);
}
