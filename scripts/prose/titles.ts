/** The title of a test, and where it starts. */
export interface Title {
  readonly text: string;
  readonly index: number;
}

const MAX_TITLE_CHARACTERS = 80;

/** A call of `it` or `test`, also as `it.skip`. Methods of an object that a test calls `test` are others. */
const CALL = /(?<![\w.'"`$])(?:it|test)(?:\.(?:only|skip|failing|concurrent|todo))*(?<each>\.each)?\(/g;

/** A literal as the formatter writes it. */
const LITERAL = /\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/y;

/** Words that end like a verb in the third person, but say nothing that happens. */
const NOT_A_VERB = new Set(
  `is has was its this whose always sometimes perhaps unless besides across towards less plus as us yes
  attributes browsers clients codes customers days deliveries endpoints entries events hours ids members messages
  methods metrics minutes months movements notifications packages payers payments payouts providers races rows
  seconds settings shops statuses subscriptions tabs thousands times tokens users values webhooks weeks withdrawals
  words workers workflows years`.split(/\s+/),
);

/** A verb after a word in -s shows that this is a noun: "controls are set". */
const AFTER_A_NOUN = /^(?:are|were|have|do|can|cannot|could|may|must|will|stay|come|get)$/;

/** Titles of the tests in a module that are written as literals. `it.each` has its title in a second call. */
export function titlesOf(source: string): Title[] {
  return [...source.matchAll(CALL)].flatMap(({ index, 0: call, groups }) => {
    const end = index + call.length;
    const start = groups?.each === undefined ? end : secondCall(source, index, end);
    LITERAL.lastIndex = start;
    const found = LITERAL.exec(source);
    const text = found?.[1] ?? found?.[2] ?? found?.[3];
    return text === undefined ? [] : [{ text, index: LITERAL.lastIndex - text.length - 1 }];
  });
}

/**
 * The position after the `(` that opens the call with the title. The formatter either keeps `it.each(…)(` on
 * one line or puts the last bracket of the table below the first character of the statement.
 */
function secondCall(source: string, index: number, end: number): number {
  const lineStart = source.lastIndexOf('\n', index) + 1;
  const indent = /^ */.exec(source.slice(lineStart, index))?.[0] ?? '';
  const rest = source.slice(end);
  const call = new RegExp(`^[^\\n]*?\\)\\(|^${indent}[\\])}][^\\n]*?\\)?\\(`, 'm').exec(rest);
  return call === null ? source.length : end + call.index + call[0].length;
}

/** Why a title is refused, or null: it starts with a verb in the third person and is short enough. */
export function titleBreach(title: string): string | null {
  const length = title.length;
  if (length > MAX_TITLE_CHARACTERS) return `has ${length} characters, ${MAX_TITLE_CHARACTERS} are allowed`;
  if (statesOutcome(title)) return null;
  return `starts with "${title.split(' ')[0]}": start with a verb, such as "returns", "refuses" or "never sends"`;
}

/** Titles also pass if they start with "every", "each" or "no", and if a row of `it.each` gives the first word. */
function statesOutcome(title: string): boolean {
  if (/^[%$]/.test(title) || /^(?:every|each|no) \S+ \S/.test(title)) return true;
  const words = title.split(' ');
  const start = words[0] === 'never' || words[0] === 'only' ? 1 : 0;
  return isVerb(words[start] ?? '') && !AFTER_A_NOUN.test(words[start + 1] ?? '');
}

function isVerb(word: string): boolean {
  return /^[a-z-]+s,?$/.test(word) && !NOT_A_VERB.has(word);
}
