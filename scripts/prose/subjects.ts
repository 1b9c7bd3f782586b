import { WORD_RULES } from './rules.ts';

const MAX_SUBJECT_CHARACTERS = 72;

const PREFIX =
  /^(?:feat|fix|perf|docs|test|refactor|style|chore|build|ci|revert)(?:\([a-z0-9-]+(?:,[a-z0-9-]+)*\))?!?: /;

/** Words that start an imperative, but end like another form of a verb. Words in -ss and -eed pass without a list. */
const IMPERATIVES = new Set(
  'alias always bias bring canvas embed focus ping process ring shed string wed'.split(' '),
);

/** Why the subject of a commit is refused, or null. CONTRIBUTING.md explains the form. */
export function subjectBreach(subject: string): string | null {
  const { length } = subject;
  if (length > MAX_SUBJECT_CHARACTERS)
    return `has ${length} characters, ${MAX_SUBJECT_CHARACTERS} are allowed`;
  const prefix = PREFIX.exec(subject)?.[0];
  if (prefix === undefined) return 'has no conventional prefix, such as "feat(api): "';
  const text = subject.slice(prefix.length);
  const word = /^[\w'-]+/.exec(text)?.[0] ?? '';
  if (!isImperative(word)) return `starts with "${word}": start with an imperative, such as "add" or "fix"`;
  return refusedWord(text.replaceAll(/`[^`]*`/g, (code) => 'x'.repeat(code.length)));
}

function isImperative(word: string): boolean {
  if (word === '') return false;
  return IMPERATIVES.has(word) || !/(?<!e)ed$|ing$|(?<!s)s$/.test(word);
}

function refusedWord(text: string): string | null {
  for (const { pattern, use, under } of WORD_RULES) {
    const found = under === undefined ? text.match(pattern)?.[0] : undefined;
    if (found !== undefined) return `says "${found}": ${use}`;
  }
  return null;
}
