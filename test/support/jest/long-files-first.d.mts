export declare const LONG_FOLDERS: readonly string[];
