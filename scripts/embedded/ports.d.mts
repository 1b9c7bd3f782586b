export declare function freePort(): Promise<number>;
export declare function isPortFree(port: number): Promise<boolean>;
export declare function portNear(preferred: number): Promise<number>;
