import type { Downloads } from './download.mjs';
import type { Log } from './process.mjs';

export declare function temporalBinary(
  log: Log,
  downloadArchive: Downloads['downloadArchive'],
): Promise<string>;
