export declare function requireSpace(folder: string, megabytes: number, what: string): void;
