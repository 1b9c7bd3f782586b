/** What a judge has looked at, and what it found wrong. */
export interface Verdict {
  readonly what: string;
  readonly wrong: readonly string[];
}
