import type { Log } from './process.mjs';

export declare function installWithPip(requirement: string, target: string, log: Log): Promise<void>;
