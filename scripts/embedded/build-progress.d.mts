import type { Log } from './process.mjs';

export declare class BuildProgress {
  constructor(log: Log);
  text(): string;
  startsCompiling(): void;
  read(text: string): void;
}
