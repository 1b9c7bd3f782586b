export declare function machineCache(): string;
