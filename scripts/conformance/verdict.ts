/** What a judge has checked, and the errors that it found. */
export interface Verdict {
  readonly what: string;
  readonly wrong: readonly string[];
}
