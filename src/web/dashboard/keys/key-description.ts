import type { Problems } from '../../frame/fields.ts';
import type { Visit } from '../frame/visit.ts';

const MAX_DESCRIPTION = 200;

/** What is wrong with the text that says what a key is for. */
export function descriptionProblems({ say }: Visit, description: string): Problems {
  const isNamed = description !== '' && description.length <= MAX_DESCRIPTION && !/\p{Cc}/u.test(description);
  if (isNamed) return {};
  return { description: say('dashboard.keys.write1ToCharacters', { maxDescription: MAX_DESCRIPTION }) };
}
