/** How many breaches a file has, or may still have. */
export interface Counts {
  readonly words: number;
  readonly titles: number;
}

export type Allowance = ReadonlyMap<string, Counts>;

const NONE: Counts = { words: 0, titles: 0 };

const LINE = /^(?<file>\S+): (?<words>\d+) words, (?<titles>\d+) titles$/;

/**
 * Reads the committed list. A merge of two lists keeps both lines of a file (`merge=union`): each was right for
 * its branch, so of both together the lower numbers count.
 */
export function parseAllowance(text: string): Allowance {
  const allowance = new Map<string, Counts>();
  for (const line of text.split('\n')) {
    const { file, words, titles } = LINE.exec(line)?.groups ?? {};
    if (file === undefined) continue;
    const counts = { words: Number(words), titles: Number(titles) };
    allowance.set(file, lower(counts, allowance.get(file) ?? counts));
  }
  return allowance;
}

function lower(one: Counts, other: Counts): Counts {
  return { words: Math.min(one.words, other.words), titles: Math.min(one.titles, other.titles) };
}

/** One line per file, sorted by path, so that changes of different files rarely meet in a merge. */
export function allowanceText(allowance: Allowance): string {
  const lines = [...allowance]
    .filter(([, { words, titles }]) => words + titles > 0)
    .map(([file, { words, titles }]) => `${file}: ${words} words, ${titles} titles\n`);
  return lines.toSorted((one, other) => (one < other ? -1 : 1)).join('');
}

export function allowedIn(allowance: Allowance, file: string): Counts {
  return allowance.get(file) ?? NONE;
}

/**
 * The allowance after an improvement: no number rises. A file that is not listed gets what it needs from
 * files that are gone, so that a rename keeps its allowance.
 */
export function lowered(allowance: Allowance, found: Allowance): Allowance {
  const left = { words: 0, titles: 0 };
  for (const [file, counts] of allowance) {
    if (found.has(file)) continue;
    left.words += counts.words;
    left.titles += counts.titles;
  }
  const take = (kind: keyof Counts, wanted: number): number => {
    const taken = Math.min(wanted, left[kind]);
    left[kind] -= taken;
    return taken;
  };
  const result = [...found].map(([file, { words, titles }]): [string, Counts] => {
    const allowed = allowance.get(file);
    if (allowed === undefined) return [file, { words: take('words', words), titles: take('titles', titles) }];
    return [file, lower({ words, titles }, allowed)];
  });
  return new Map(result);
}
