import { Worker } from 'node:worker_threads';

/** A block of code, and its language as Markdown names it. */
export interface Code {
  readonly language: string;
  readonly text: string;
}

export interface HighlightRequest {
  readonly id: number;
  readonly blocks: readonly Code[];
}

interface HighlightAnswer {
  readonly id: number;
  readonly markup: readonly string[];
}

/** Readers come in bursts: the thread and its 100 MB of grammars stay for two minutes after the last page. */
const IDLE_MS = 120_000;

/** A reader waits this long for colours, and then gets the text without them. */
const PATIENCE_MS = 2_000;

type Waiting = (markup: readonly string[] | null) => void;

/**
 * Colours code in a thread of its own, because reading a grammar takes up to half a second, and requests about
 * money wait for the same processor. The thread starts with the first page and ends when nobody reads.
 */
export class Highlighter {
  readonly #program: URL;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(program = new URL('./highlight-thread.ts', import.meta.url)) {
    this.#program = program;
  }

  /** @returns the blocks as HTML in their order, or null if the thread failed or is slow: show the text as it is. */
  highlight(blocks: readonly Code[]): Promise<readonly string[] | null> {
    if (blocks.length === 0) return Promise.resolve([]);
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => resolve(null), PATIENCE_MS).unref();
      this.#waiting.set(id, (markup) => {
        clearTimeout(tooLate);
        resolve(markup);
      });
      clearTimeout(this.#idle);
      this.#thread ??= this.#start();
      this.#thread.postMessage({ id, blocks } satisfies HighlightRequest);
    });
  }

  #start(): Worker {
    // The options of this process, such as a watch on its parent, are not the thread's.
    const thread = new Worker(this.#program, { execArgv: [] });
    thread.on('message', ({ id, markup }: HighlightAnswer) => this.#settle(id, markup));
    thread.on('error', () => this.#failed(thread));
    thread.on('exit', () => this.#failed(thread));
    // After the listeners, because each of them keeps the process running again.
    thread.unref();
    return thread;
  }

  #settle(id: number, markup: readonly string[] | null): void {
    this.#waiting.get(id)?.(markup);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
  }

  /** The next page starts a new thread. */
  #failed(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const id of this.#waiting.keys()) this.#settle(id, null);
  }
}
