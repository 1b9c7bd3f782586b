import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Api } from '../api.ts';

/**
 * Where listeners of this person to this service and key keep their positions and doors: below `XDG_STATE_HOME`, default
 * `~/.local/state`. The path contains a digest of address and key, and no secret.
 * @returns null if the environment names no folder; nothing is then remembered.
 */
export function listenerFolder(
  env: Readonly<Record<string, string | undefined>>,
  { url, keyDigest }: Pick<Api, 'url' | 'keyDigest'>,
): string | null {
  const home = env.HOME || env.USERPROFILE;
  const state = env.XDG_STATE_HOME || (home && join(home, '.local', 'state'));
  if (!state) return null;
  return join(state, 'recebe', 'listen', digestOf(url, keyDigest.toString('hex')));
}

/** Short, and different for different parts. */
export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
