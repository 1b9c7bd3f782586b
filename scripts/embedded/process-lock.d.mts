export declare function withLock<Result>(
  kind: string,
  path: string,
  onWait: (waits: number) => void,
  work: (heldBy: (pid: number) => void) => Promise<Result>,
): Promise<Result>;
