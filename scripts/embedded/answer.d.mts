export declare function answerOf(program: string, args: readonly string[]): Promise<string | undefined>;
