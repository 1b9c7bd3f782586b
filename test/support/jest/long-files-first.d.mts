export declare const LONG_TESTS: readonly string[];
