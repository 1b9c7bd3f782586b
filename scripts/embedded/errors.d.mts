export declare function errorCode(error: unknown): unknown;
export declare function reasonOf(error: unknown): string;
