import { OPENING_OF, SUBJECT_CLAUSE, type WordRule } from './sentences.ts';

/** Folders of tests and of tools that test the service. */
const TEST_CODE = ['test/', 'scripts/', 'conformance/'];

/** The end of a part of a sentence. */
const PAUSE = String.raw`\s*(?:[.,;:)\u0001]|$)`;

/**
 * Words that have a shorter, more common or more exact one. CONTRIBUTING.md explains the style. A rule misses a
 * word rather than refuse plain English: "the header tells clients when to retry" passes, "is `told` of it" does not.
 */
export const WORD_RULES: readonly WordRule[] = [
  rule('told|untold|retold|teller', 'notify, send, publish or report'),
  rule(
    '(?:tell|tells|telling) (?:of|about|again|nobody|everybody|whoever)',
    'notify, send, publish or report',
  ),
  rule('(?:hear|hears|hearing) of|heard', 'receive, or subscribe to'),
  rule('anew', 'again'),
  rule('whoever|whomever', 'someone, or anyone who'),
  rule('besides', 'also', PAUSE),
  rule('of before', 'previous'),
  rule('of tomorrow', 'unknown, or future', PAUSE),
  rule('(?<!there )(?:is|are|was|were|be) none', 'no X'),
  rule("(?:is|are) nobody's", 'the state by its name, such as expired or unassigned'),
  rule('in earnest', 'in production'),
  rule(
    '(?:take|takes|taken|took|taking) in',
    'ingest, or record',
    `${PAUSE}|\\s+(?:by|once|twice|again|what)\\b`,
  ),
  rule('driven on', 'resumed'),
  rule('(?:go|goes|gone|went) on', 'continue', `${PAUSE}|\\s+(?:by|with|from|where|until|while|although)\\b`),
  rule('forgotten starts?', 'unstarted'),
  rule('lane|lanes|waiting room|waiting rooms', 'queue, or backlog'),
  rule('rail|rails', 'provider'),
  rule('the original service', 'AbacatePay, or API v1'),
  rule('(?:take|takes|taken|took) back', 'refund, dispute, cancel or restore'),
  rule(
    '(?:send|sends|sent|go|goes|gone|went) back to (?:(?:its|the|their|a) )?payers?',
    'returned, refunded or disputed',
  ),
  rule('looked (?:whether|if)', 'check, or verify'),
  rule('(?:is|are|was|were) an? [45]\\d\\d', 'returns the status', PAUSE),
  rule('(?<!user )(?:story|stories)|scene|scenes|weather|suffering', 'scenario, fault plan, failure or user'),
  { ...rule('(?<!real )worlds?', 'fixture, or scenario'), under: TEST_CODE },
  SUBJECT_CLAUSE,
  OPENING_OF,
];

/** @param before what must follow the words, as a regular expression; without it anything may. */
function rule(words: string, use: string, before = ''): WordRule {
  const followed = before === '' ? '' : `(?=${before})`;
  return { pattern: new RegExp(`\\b(?:${words.replaceAll(' ', '\\s+')})\\b${followed}`, 'gi'), use };
}
