import type { Log } from './process.mjs';

export interface Downloads {
  downloadArchive(url: string, checksumsUrl: string, file: string, log: Log): Promise<void>;
  downloadFile(url: string, expected: string, file: string): Promise<void>;
  isReachable(url: string): Promise<boolean>;
}

/** What is used of a response. */
interface Answer {
  readonly ok: boolean;
  readonly status: number;
}

export declare function downloads<Options extends object>(
  fetch: (url: string, options: never) => Promise<Answer>,
  options?: () => Options,
): Downloads;
