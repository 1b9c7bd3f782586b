import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../embedded/run-and-stop.ts';

/** github.com/stripe/stripe-mock, by Stripe itself. */
const STRIPE_MOCK = 'github.com/stripe/stripe-mock@v0.203.0';
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/** @returns the program, or null if it cannot be built here: no Go, or no module proxy. */
export function installStripeMock(folder: string): string | null {
  const bin = join(folder, '.go', 'bin');
  const program = join(bin, 'stripe-mock');
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version']).status !== 0) return null;
  say('Building stripe-mock');
  spawnSync('go', ['install', STRIPE_MOCK], {
    env: { ...process.env, GOBIN: bin },
    stdio: 'ignore',
    timeout: INSTALL_TIMEOUT_MS,
  });
  return existsSync(program) ? program : null;
}
