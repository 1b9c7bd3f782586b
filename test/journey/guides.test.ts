import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';

const GUIDES = new URL('../../docs/guides/', import.meta.url);

let app: MoneyApp;
let sink: WebhookSink;
beforeAll(async () => {
  [app, sink] = await Promise.all([createMoneyApp(), startWebhookSink()]);
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

/** The commands of a guide, without those that run the service, belong to its command line, or act in a box. */
function commandsOf(guide: string): string {
  const text = readFileSync(new URL(guide, GUIDES), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  return blocks
    .filter((block) => !/\b(?:npm (?:run|start)|npx recebe|localhost:8456)\b/.test(block))
    .join('\n');
}

/** How the guides read the address of the service that runs in their reader's folder. */
const INSTANCE_URL = `$(node -p 'require("./.data/endpoints.json").apiUrl')`;

/** The lines that all guides begin with, and that whatever is refused ends them. */
const BEGINNING = `
set -euo pipefail
# A stream is listened to for as long as the guide says.
curl() { command curl --fail-with-body "$@" || [ $? = 28 ]; }
post() { curl -s -X POST "$API/$1" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "$2"; }
get() { curl -s "$API/$1" -H "Authorization: Bearer $KEY"; }
id() { node -p 'JSON.parse(require("fs").readFileSync(0)).data.id'; }
`;

/** @returns what the commands print. */
async function run(commands: string): Promise<string> {
  const { api, storeId } = await app.anotherStore();
  const { key: publicKey } = await app.clientWith({ storeId, isPublic: true });
  const here = commands
    .replaceAll('http://localhost:4000/hooks', sink.endpoint().url)
    .replaceAll(INSTANCE_URL, api.url);
  const { PATH = '' } = process.env;
  const env = {
    API: `${api.url}/v2`,
    KEY: api.key,
    PUBLIC_KEY: publicKey,
    PATH: `${dirname(process.execPath)}:${PATH}`,
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${BEGINNING}${here}`], { env });
  return stdout;
}

/** Guides whose commands are refused on purpose, are the preparation above, or are tested elsewhere. */
const OTHERS = ['asaas.md', 'bank.md', 'errors.md', 'README.md', 'command-line.md', 'quick-start.md'];
const guides = globSync('*.md', { cwd: GUIDES }).filter((guide) => !OTHERS.includes(guide));

describe('commands of the guides', () => {
  it.each(guides.filter((guide) => commandsOf(guide) !== ''))('runs all commands of %s', async (guide) => {
    await expect(run(commandsOf(guide))).resolves.toEqual(expect.any(String));
  });
});

it('returns the error body shown in the guide to errors', async () => {
  const text = readFileSync(new URL('errors.md', GUIDES), 'utf8');
  const shown = /^```json\n([\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  const answer = await run(commandsOf('errors.md')).catch(({ stdout }: { stdout: string }) => stdout);
  expect(JSON.parse(answer)).toEqual(JSON.parse(shown));
});
