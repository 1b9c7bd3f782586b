import { UsageError } from './usage-error.ts';

/** The environment of one run of the command line. */
export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Asks the person at the terminal; absent if there is none. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks for a secret, which the terminal does not show; absent if there is nobody to ask. */
  readonly askSecret?: (question: string) => Promise<string>;
  /** Stops commands that would otherwise run forever. */
  readonly signal?: AbortSignal;
}

/** Output for people or for programs. */
export class Output {
  readonly isJson: boolean;
  readonly #host: CliHost;

  constructor(host: CliHost, isJson: boolean) {
    this.#host = host;
    this.isJson = isJson;
  }

  /** The result of a command: one JSON document with `--json`, else text. */
  answer(json: unknown, text: string): void {
    this.#host.print(this.isJson ? JSON.stringify(json) : text);
  }

  /** Progress notes for people; omitted with `--json`. */
  note(line: string): void {
    if (!this.isJson) this.#host.print(line);
  }

  /**
   * Asks for confirmation of something that cannot be undone.
   * @throws UsageError if nobody can be asked, or the answer is no.
   */
  async confirm(question: string, isConfirmed: boolean): Promise<void> {
    if (isConfirmed) return;
    if (this.#host.confirm === undefined) throw new UsageError(`${question} Use --yes if nobody can answer`);
    if (!(await this.#host.confirm(question))) throw new UsageError('nothing was changed');
  }
}
