/**
 * What share of the time the phases take, in percent, and the lines that they print unless Go's caches have something
 * from other work: `# get https://…/@v/v1.2.3.zip: 200 OK (0.4s)` for each module, `net/http` for each package.
 */
const DOWNLOADING = { from: 0, to: 10, steps: 110, counted: /^# get \S+\.zip: 200/ };
const COMPILING = { from: 10, to: 99, steps: 880, counted: /^[\w./~-]+$/ };

/** Reads what Go prints while it downloads and compiles, and logs how much is done, in percent. */
export class BuildProgress {
  #log;
  #unfinishedLine = '';
  #phase = DOWNLOADING;
  #count = 0;
  #percent = 0;

  constructor(log) {
    this.#log = log;
  }

  /** How much is done, in words for a person. */
  text() {
    return `Building the Temporal server from source, once for this machine: ${this.#percent} %`;
  }

  /** Everything is downloaded. */
  startsCompiling() {
    this.#phase = COMPILING;
    this.#count = 0;
    this.#unfinishedLine = '';
  }

  /** @param text output of `go mod download -x`, and then of `go build -v`. */
  read(text) {
    const lines = (this.#unfinishedLine + text).split('\n');
    this.#unfinishedLine = lines.pop() ?? '';
    this.#count += lines.filter((line) => this.#phase.counted.test(line)).length;
    const { from, to, steps } = this.#phase;
    const shown = Math.floor(from + (to - from) * Math.min(1, this.#count / steps));
    if (shown <= this.#percent) return;
    this.#percent = shown;
    this.#log(this.text());
  }
}
