import { UsageError } from './usage-error.ts';

/** The outside of one run of the command line. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Asks the person at the terminal; absent where there is none. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Ends what would otherwise go on for ever. */
  readonly signal?: AbortSignal;
}

/** What commands say, to a person or to a program. */
export class Output {
  readonly isJson: boolean;
  readonly #host: CliHost;

  constructor(host: CliHost, isJson: boolean) {
    this.#host = host;
    this.isJson = isJson;
  }

  /** The answer of a command: one JSON document with `--json`, else a text. */
  answer(json: unknown, text: string): void {
    this.#host.print(this.isJson ? JSON.stringify(json) : text);
  }

  /** What only a person wants to know meanwhile. */
  note(line: string): void {
    if (!this.isJson) this.#host.print(line);
  }

  /**
   * Has something confirmed that cannot be taken back.
   * @throws UsageError where there is nobody to ask, or they say no.
   */
  async confirm(question: string, isConfirmed: boolean): Promise<void> {
    if (isConfirmed) return;
    if (this.#host.confirm === undefined)
      throw new UsageError(`${question} Say --yes where nobody can be asked`);
    if (!(await this.#host.confirm(question))) throw new UsageError('nothing was changed');
  }
}
