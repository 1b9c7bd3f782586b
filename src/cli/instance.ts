import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Config, loadConfig, secretsKeysIn } from '../config.ts';

/** What the command line needs to know of a running instance (`<RECEBE_DATA>/endpoints.json`). */
const endpoints = z.object({
  databaseUrl: z.string(),
  temporalAddress: z.string().optional(),
  apiUrl: z.string().optional(),
  demoKey: z.string().optional(),
});

/**
 * The database that the command line works on: `DATABASE_URL`, else that of the instance `npm start` runs on
 * `RECEBE_DATA` (default `.data`).
 * @throws Error that says what to set or start.
 */
export function databaseUrlOf(env: Readonly<Record<string, string | undefined>>): string {
  return env.DATABASE_URL || endpointsOf(env).databaseUrl;
}

/**
 * Database and Temporal server that the command line works on: those that are set, else those of the instance
 * as for {@link databaseUrlOf}.
 * @throws Error that says what to set or start.
 */
export function serversOf(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Config, 'databaseUrl' | 'temporal'> {
  if (env.DATABASE_URL) return loadConfig(env);
  const { databaseUrl, temporalAddress } = endpointsOf(env);
  return loadConfig({ TEMPORAL_ADDRESS: temporalAddress, ...env, DATABASE_URL: databaseUrl });
}

/**
 * The keys of webhooks' secrets that the command line works with: `SECRETS_KEY`, else those of the instance that
 * `npm start` runs on `RECEBE_DATA`. None where there are none.
 * @throws Error where they are not keys.
 */
export function secretsKeysOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const ofInstance = () => (env.DATABASE_URL ? '' : readIfThere(secretsKeyFile(env.RECEBE_DATA || '.data')));
  return secretsKeysIn({ SECRETS_KEY: env.SECRETS_KEY || ofInstance() });
}

/** A service's API, and a key to it. */
export interface ApiAddress {
  readonly url: string;
  readonly key: string;
}

/** What says where the API is, where `npm start` does not run. */
const GIVE_ADDRESS = 'give --api-url and --key (or set RECEBE_API_URL and RECEBE_API_KEY)';

/**
 * The API that the command line works on: `--api-url` and `--key`, else `RECEBE_API_URL` and `RECEBE_API_KEY`, else that
 * of the instance `npm start` runs on `RECEBE_DATA`, whose demo key goes to no other service.
 * @throws Error that says what to set or start.
 */
export function apiAddressOf(
  env: Readonly<Record<string, string | undefined>>,
  given: { readonly apiUrl?: string; readonly key?: string },
): ApiAddress {
  const givenUrl = given.apiUrl || env.RECEBE_API_URL;
  if (givenUrl && !/^https?:$/.test(URL.parse(givenUrl)?.protocol ?? ''))
    throw new Error(
      `--api-url: must be a complete address, such as https://pay.example.com, not "${givenUrl}"`,
    );
  const instance = givenUrl ? null : endpointsOf(env, GIVE_ADDRESS);
  const url = givenUrl || instance?.apiUrl;
  const key = given.key || env.RECEBE_API_KEY || instance?.demoKey;
  if (!url || !key) throw new Error('--key or RECEBE_API_KEY: an API key of that service is needed');
  return { url, key };
}

/**
 * Where people reach the instance that the command line works on: `PUBLIC_URL`, else where `npm start` says that it
 * listens. Null where neither is known.
 */
export function publicUrlOf(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.PUBLIC_URL || env.DATABASE_URL) return env.PUBLIC_URL?.replace(/\/$/, '') || null;
  return endpointsOf(env).apiUrl ?? null;
}

/** Where `npm start` keeps the key that it has made. */
export function secretsKeyFile(dataFolder: string): string {
  return join(dataFolder, 'secrets-key');
}

/** Where `npm start` writes what API and worker log. */
export function serviceLogFile(dataFolder: string): string {
  return join(dataFolder, 'service.log');
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function endpointsOf(
  { RECEBE_DATA: folder }: Readonly<Record<string, string | undefined>>,
  instead = 'set DATABASE_URL',
) {
  const path = join(folder || '.data', 'endpoints.json');
  try {
    return endpoints.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new Error(`${instead}, or run npm start first: it writes ${path}`);
  }
}
