import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretsKeyFile } from '../../src/cli/instance.ts';
import { isRoot } from './accounts.ts';
import { requireSpace } from './disk-space.mjs';
import { waitForLock } from './lock.ts';
import type { Log } from './process.mjs';

/** What tools and people need to find a running instance. `<RECEBE_DATA>/endpoints.json` holds it. */
export interface Endpoints {
  apiUrl: string;
  temporalAddress: string;
  /** Null when the Temporal server is not ours. */
  temporalUiUrl: string | null;
  databaseUrl: string;
  demoKey: string;
}

/** The folder that one running instance keeps everything in. */
export interface DataFolder {
  path: string;
  /** Key text of an earlier run, so that a restart continues with the same key. */
  demoKey: string | undefined;
  /** Keys of webhooks' secrets, the first of which was made for this folder. */
  secretsKey: string;
  /** Tells where this instance is, in one step and once it is ready. */
  publish(endpoints: Endpoints): void;
  /** Takes the above back and lets another instance use the folder. */
  release(): void;
}

/** An instance whose npm was killed takes about two seconds to notice and to end in good order. */
const ENDING_MS = 5_000;

/** A first start writes 50 MB; later ones need room for the next segments of Postgres' log, 16 MB each. */
const LEAST_MB = 100;

/**
 * Takes a folder for this process, creating it when missing, and waiting for an instance on it that is
 * ending.
 * @throws Error when another instance is using it, or when its disk is nearly full.
 */
export async function claimDataFolder(path: string, log: Log): Promise<DataFolder> {
  mkdirSync(path, { recursive: true });
  requireSpace(path, LEAST_MB, 'RECEBE_DATA, which may be on another disk, needs');
  // Run by root, Postgres works as another account, which has to pass through here; what is in here stays
  // private.
  chmodSync(path, isRoot() ? 0o711 : 0o700);
  const onWait = () => log('Another instance is using this data; looking whether it is just ending');
  const unlock = await waitForLock(join(path, 'lock'), ENDING_MS, onWait);
  if (unlock === undefined) {
    throw new Error(
      `${path} is in use by another instance; stop it, or set RECEBE_DATA and PORT for a second one.`,
    );
  }
  const endpointsFile = join(path, 'endpoints.json');
  const keyFile = join(path, 'demo-key');
  rmSync(endpointsFile, { force: true }); // Of an instance that was killed: nobody listens there any more.
  return {
    path,
    demoKey: readIfThere(keyFile),
    secretsKey: keptSecretsKey(path),
    publish: (endpoints) => {
      writeWhole(keyFile, endpoints.demoKey);
      writeWhole(endpointsFile, `${JSON.stringify(endpoints, null, 2)}\n`);
    },
    release: () => {
      rmSync(endpointsFile, { force: true });
      unlock();
    },
  };
}

/** It is made once. Who turns keys writes the new one in front of it. */
function keptSecretsKey(folder: string): string {
  const file = secretsKeyFile(folder);
  const kept = readIfThere(file);
  if (kept !== undefined) return kept;
  const made = `${randomBytes(32).toString('base64')}\n`;
  writeWhole(file, made);
  return made;
}

function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
