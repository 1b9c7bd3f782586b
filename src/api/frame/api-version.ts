/** Another version of the API: the same operations with answers of another form, at paths of its own. */
export interface ApiVersion {
  /** Whether a path is one of the version. */
  covers(path: string): boolean;
  /** Whether the version has ended. No request of it is then looked at further. */
  hasEnded(now: Date): boolean;
  /** On every answer of the version. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a refusal. */
  failure(error: string, code: string): string;
}
