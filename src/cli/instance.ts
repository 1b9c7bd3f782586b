import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Config, loadConfig, secretsKeysIn } from '../config.ts';

/** The part of a running instance's `<RECEBE_DATA>/endpoints.json` that the command line needs. */
const endpoints = z.object({
  databaseUrl: z.string(),
  temporalAddress: z.string().optional(),
  apiUrl: z.string().optional(),
  demoKey: z.string().optional(),
});

/**
 * The database for the command line: `DATABASE_URL`, else the database of the instance that `npm start` runs on `RECEBE_DATA`
 * (default `.data`).
 * @throws Error that says what to set or start.
 */
export function databaseUrlOf(env: Readonly<Record<string, string | undefined>>): string {
  return env.DATABASE_URL || endpointsOf(env).databaseUrl;
}

/**
 * The database and Temporal server for the command line: the configured ones, else those of the instance as in {@link
 * databaseUrlOf}.
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
 * The keys for webhook secrets: `SECRETS_KEY`, else the key of the instance that `npm start` runs on `RECEBE_DATA`. Empty if
 * there are none.
 * @throws Error if the values are not keys.
 */
export function secretsKeysOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const ofInstance = () => (env.DATABASE_URL ? '' : readIfThere(secretsKeyFile(env.RECEBE_DATA || '.data')));
  return secretsKeysIn({ SECRETS_KEY: env.SECRETS_KEY || ofInstance() });
}

/** The address of a service's API, with a key. */
export interface ApiAddress {
  readonly url: string;
  readonly key: string;
}

/** The hint shown if `npm start` is not running. */
const GIVE_ADDRESS = 'give --api-url and --key (or set RECEBE_API_URL and RECEBE_API_KEY)';

/**
 * The API for the command line: `--api-url` and `--key`, else `RECEBE_API_URL` and `RECEBE_API_KEY`, else the instance that `npm
 * start` runs on `RECEBE_DATA`. That instance's demo key is never sent to another service.
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

/** The public URL of the instance: `PUBLIC_URL`, else the address on which `npm start` listens. Null if neither is known. */
export function publicUrlOf(env: Readonly<Record<string, string | undefined>>): string | null {
  if (env.PUBLIC_URL || env.DATABASE_URL) return env.PUBLIC_URL?.replace(/\/$/, '') || null;
  return endpointsOf(env).apiUrl ?? null;
}

/** The file in which `npm start` stores the key it generates. */
export function secretsKeyFile(dataFolder: string): string {
  return join(dataFolder, 'secrets-key');
}

/** The file to which `npm start` writes the logs of API and worker. */
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
