import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Programs that tell their version do so at once; on a busy machine Java takes seconds. */
const TIMEOUT_MS = 20_000;

/** What a program prints, or undefined when it is not there, fails or hangs. */
export async function answerOf(program, args) {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], { timeout: TIMEOUT_MS });
    return stdout + stderr;
  } catch {
    return undefined;
  }
}
