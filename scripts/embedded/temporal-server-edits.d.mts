export declare function copyServerSources(from: string, to: string): void;
