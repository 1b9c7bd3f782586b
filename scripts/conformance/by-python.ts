import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import type { BacenProfileName } from '../../src/providers/bacen/profiles/index.ts';
import { PIX_KEY, startPsp } from '../psp/start-psp.ts';
import { verdictOf } from './explained-differences.ts';
import { ourRequests } from './our-requests.ts';
import { relayTo } from './relay.ts';
import { differencesOf } from './requests-compared.ts';
import type { Verdict } from './verdict.ts';

/** The operations of the document that the bank in a box implements. All others answer 404. */
const RESOURCES = '^/(cob|cobv|pix|webhook)(/|$)';
const EXAMPLES = 25;

/** Schemathesis sends requests that it generates from the document. Every answer must be one that the document describes. */
export async function bySchemathesis(python: string, document: string): Promise<Verdict> {
  const psp = await startPsp();
  const { apiUrl, tokenUrl } = psp.account.settings;
  const relay = await relayTo(psp, new URL(String(apiUrl)).origin);
  try {
    const { access_token: token } = (await (
      await request(`${relay.url}${new URL(String(tokenUrl)).pathname}`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${psp.account.settings.clientId}:${psp.account.secrets.clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials&scope=cob.read',
      })
    ).body.json()) as { access_token: string };
    const { code, output } = await runProgram(
      join(dirname(python), 'st'),
      [
        'run',
        document,
        `--url=${relay.url}${new URL(String(apiUrl)).pathname}`,
        `--header=Authorization: Bearer ${token}`,
        `--include-path-regex=${RESOURCES}`,
        '--exclude-path-regex=pixUrlAccessToken|recUrlAccessToken',
        '--checks=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
        `--max-examples=${EXAMPLES}`,
        '--phases=examples,fuzzing',
        '--seed=42',
        '--no-color',
      ],
      dirname(document),
    );
    const wrong = code === 0 ? [] : output.split('\n');
    return { what: `${relay.exchanges.length} requests that it made up`, wrong };
  } finally {
    await Promise.all([relay.close(), psp.close()]);
  }
}

/**
 * Profiles that brbank supports too. For Sicredi it has only version 2, while pypix-api and the adapter use version 3 of
 * `/cob/{txid}`.
 */
const SHARED_PROFILES: readonly BacenProfileName[] = [
  'efi',
  'inter',
  'bb',
  'sicoob',
  'itau',
  'bradesco',
  'santander',
];

/** A third-party client that runs the same case as the adapter. */
interface OtherClient {
  readonly name: 'brbank' | 'pypix-api';
  readonly script: string;
  readonly profiles: readonly BacenProfileName[];
  /** Whether the client creates request bodies. If not, its caller does. */
  readonly makesBodies: boolean;
}

const BRBANK: OtherClient = {
  name: 'brbank',
  script: 'brbank_client.py',
  profiles: SHARED_PROFILES,
  makesBodies: true,
};
/**
 * It sends Banco do Brasil neither the application's key nor a secret, and supports no further bank that has a profile here.
 */
const PYPIX: OtherClient = {
  name: 'pypix-api',
  script: 'pypix_client.py',
  profiles: ['inter', 'sicoob', 'sicredi'],
  makesBodies: false,
};

export const byBrbank = (python: string, conformance: string, webhookUrl: string) =>
  byClient(BRBANK, python, conformance, webhookUrl);
export const byPypix = (python: string, conformance: string, webhookUrl: string) =>
  byClient(PYPIX, python, conformance, webhookUrl);

/**
 * Runs a third-party client against the bank in each profile that both support, and compares its requests with the adapter's.
 */
async function byClient(
  { name, script, profiles, makesBodies }: OtherClient,
  python: string,
  conformance: string,
  webhookUrl: string,
): Promise<Verdict> {
  const wrong: string[] = [];
  const differences: string[] = [];
  let requests = 0;
  for (const profile of profiles) {
    // brbank sends no account number, which Inter requires of applications that serve several accounts.
    const psp = await startPsp({ profile, accountNumber: name === 'brbank' ? null : '1234567' });
    const { settings, secrets } = psp.account;
    const [api, token] = [new URL(String(settings.apiUrl)), new URL(String(settings.tokenUrl))];
    const relay = await relayTo(psp, api.origin);
    const versions: Partial<Record<BacenProfileName, string>> = { efi: '/v2', santander: '/v1' };
    const version = versions[profile] ?? '';
    const input = {
      profile,
      api: `${relay.url}${api.pathname === '/' ? '' : api.pathname}${version}`,
      revision: `${relay.url}${api.pathname}/v2`,
      token: `${relay.url}${token.pathname}${profile === 'santander' ? '?grant_type=client_credentials' : ''}`,
      admin: psp.adminUrl,
      key: PIX_KEY,
      account: '1234567',
      client_id: settings.clientId,
      client_secret: secrets.clientSecret,
      app_key: settings.applicationKey,
      // Efí calls the address before it registers it, and no server answers at this address.
      webhook: profile !== 'efi',
    };
    const { code, output } = await runProgram(
      python,
      [join(conformance, script)],
      conformance,
      JSON.stringify(input),
    );
    if (code !== 0) wrong.push(`${profile}: ${output.trim().split('\n').at(-1)}`);
    requests += relay.exchanges.length;
    const found = differencesOf(await ourRequests(psp, webhookUrl), relay.exchanges, {
      withBodies: makesBodies,
    });
    differences.push(...found.map((each) => `${name} ${profile} ${each}`));
    await Promise.all([relay.close(), psp.close()]);
  }
  return verdictOf(name, { profiles, requests, differences, wrong });
}

/** @param cwd the folder for files that it keeps. */
export async function runProgram(program: string, args: readonly string[], cwd: string, input = '') {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [[code], out, err] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output: out + err };
}
