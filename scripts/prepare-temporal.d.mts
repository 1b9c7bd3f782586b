export declare function needsTemporal(command: string, args: readonly string[]): boolean;
export declare function prepareTemporal(): () => string;
