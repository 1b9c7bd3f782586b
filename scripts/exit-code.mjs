import { constants } from 'node:os';

/** The exit code of a process, or what a shell would make of the signal that ended it. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
