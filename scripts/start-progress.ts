/** Elsewhere than on a terminal somebody reads the lines later, or never. */
const DETAIL_EVERY_MS = 30_000;
const REWRITE_EVERY_MS = 200;

/** Of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** What of a stream is used here. */
interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * How far a start has come: on a terminal one line that is rewritten, with its step and time; elsewhere a line
 * for each step, and one each half minute while a step takes long.
 */
export class StartProgress {
  readonly #out: Terminal;
  readonly #steps: number;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #step = 0;
  #name = '';
  #detail = '';
  #lastLineMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param steps how many there are at most. */
  constructor(out: Terminal, steps: number, nowMs = () => performance.now()) {
    this.#out = out;
    this.#steps = steps;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  step(name: string): void {
    this.#step += 1;
    this.#name = name;
    this.#detail = '';
    if (this.#out.isTTY === true) {
      this.#timer ??= setInterval(() => this.#rewrite(), REWRITE_EVERY_MS).unref();
      this.#rewrite();
    } else this.#line(name);
  }

  /** What the step is at. Before the first step it is a line, as it is after the last one. */
  detail(text: string): void {
    this.#detail = text;
    if (this.#timer !== undefined) this.#rewrite();
    else if (this.#step === 0 || this.#nowMs() - this.#lastLineMs >= DETAIL_EVERY_MS) this.#line(text);
  }

  /** Something that stays to be read. */
  say(text: string): void {
    this.#clear();
    this.#line(text);
  }

  /** The start is over: from now on everything is a line. */
  end(): void {
    clearInterval(this.#timer);
    this.#clear();
    this.#timer = undefined;
    this.#step = 0;
  }

  #line(text: string): void {
    this.#lastLineMs = this.#nowMs();
    this.#out.write(`${text}\n`);
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#out.write('\r\x1b[K');
  }

  #rewrite(): void {
    const seconds = Math.round((this.#nowMs() - this.#startedMs) / 1_000);
    const detail = this.#detail === '' ? '' : `: ${this.#detail}`;
    const line = `[${this.#step}/${this.#steps}] ${seconds} s  ${this.#name}${detail}`;
    // A line that the terminal breaks in two could not be rewritten.
    this.#out.write(`\r\x1b[K${line.slice(0, (this.#out.columns || USUAL_COLUMNS) - 1)}`);
  }
}
