/** Runs a program to its end, and says what it is doing. @throws Error with the last lines of its output if it fails. */
export type Run = (
  what: string,
  command: string,
  args: string[],
  cwd?: string,
  env?: Readonly<Record<string, string>>,
) => Promise<void>;

/** Whether a program of the machine can be used. */
export async function isThere(run: Run, command: string, args: readonly string[]): Promise<boolean> {
  return run(`Looking for ${command}`, command, [...args]).then(
    () => true,
    () => false,
  );
}
