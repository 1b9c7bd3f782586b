import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../scripts/embedded/ports.mjs';
import type { ApiClient } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { eventually } from '../support/waiting/eventually.ts';

const GUIDE = readFileSync(new URL('../../docs/guides/quick-start.md', import.meta.url), 'utf8');

/** Languages of the guide, and what runs them: those that this machine does not have are left out, and named. */
const LANGUAGES = [
  { name: 'js', runs: [process.execPath], file: (role: string) => `${role}.mjs` },
  { name: 'python', runs: ['python3'], file: (role: string) => `${role}.py` },
  { name: 'php', runs: ['php'], file: (role: string) => `${role}.php` },
  { name: 'go', runs: ['go', 'run'], file: (role: string) => `${role}.go` },
].map((language) => ({ ...language, isHere: isHere(language.runs[0] ?? '') }));

function isHere(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0;
}

let app: MoneyApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recebe-quick-start-'));
  app = await createMoneyApp();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Writes a program of the guide. @returns where it is. */
function program({ name, file }: (typeof LANGUAGES)[number], role: 'charge' | 'receiver'): string {
  const blocks = [...GUIDE.matchAll(new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
  const text = blocks.map(([, block = '']) => block).find((block) => block.includes(` ${file(role)}`));
  if (text === undefined) throw new Error(`the guide has no ${file(role)}`);
  const path = join(folder, file(role));
  writeFileSync(path, text);
  return path;
}

/** How to run a program so that ending the process ends it: `go run` would leave its child. */
function runnable({ name, runs }: (typeof LANGUAGES)[number], path: string): [string, string[]] {
  if (name !== 'go') return [runs[0] ?? '', [path]];
  const built = path.replace('.go', '');
  spawnSync('go', ['build', '-o', built, path], { stdio: 'inherit' });
  return [built, []];
}

/** What the guide has its reader set. */
function environment(api: ApiClient) {
  return { PATH: process.env.PATH ?? '', RECEBE_URL: `${api.url}/v2`, RECEBE_KEY: api.key };
}

/** The shell commands below a heading, for an endpoint at this port. */
function commands(heading: string, port = 4000): string {
  const section = GUIDE.slice(GUIDE.indexOf(heading));
  const [, block = ''] = /^```sh\n([\s\S]*?)^```/m.exec(section) ?? [];
  return block.replace('localhost:4000', `localhost:${port}`);
}

async function shell(text: string, api: ApiClient): Promise<string> {
  const env = environment(api);
  const PATH = `${dirname(process.execPath)}:${env.PATH}`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', text], { env: { ...env, PATH } });
  return stdout;
}

describe('commands of the quick start', () => {
  it('creates the charge with curl', async () => {
    const { api } = await app.anotherStore();
    expect(JSON.parse(await shell(commands('## Create a charge'), api))).toMatchObject({
      success: true,
      data: { status: 'PENDING', externalId: 'order-1042' },
    });
  });

  describe.each(LANGUAGES)('in $name', (language) => {
    const test = language.isHere ? it : it.skip;

    test('creates a charge with the program, which prints the reason of a failure', async () => {
      const { api } = await app.anotherStore();
      const [runs, args] = runnable(language, program(language, 'charge'));
      const run = (env: object) => promisify(execFile)(runs, args, { env: { ...environment(api), ...env } });
      expect((await run({})).stdout).toMatch(/^pix_char_[0-9A-Z]{26} 000201/);
      await expect(run({ RECEBE_KEY: 'wrong' })).rejects.toMatchObject({
        stderr: expect.stringContaining('UNAUTHORIZED'),
      });
    });

    test('prints payments with the receiver, which refuses forged webhooks', async () => {
      const { api } = await app.anotherStore();
      const port = await freePort();
      const path = program(language, 'receiver');
      const [runs, args] = runnable(language, path);
      const given = language.name === 'php' ? ['-S', `127.0.0.1:${port}`, path] : args;
      const receiver = spawn(runs, given, {
        env: { ...environment(api), PORT: String(port) },
      });
      let printed = '';
      for (const output of [receiver.stdout, receiver.stderr])
        output.on('data', (text: Buffer) => (printed += text.toString()));
      try {
        const forged = () =>
          fetch(`http://localhost:${port}/hooks`, {
            method: 'POST',
            body: '{"event":"transparent.completed"}',
            headers: { 'X-Webhook-Signature': 'x' },
          });
        await eventually(async () => expect((await forged()).status).toBe(401));
        const answers = await shell(commands('### Try it', port), api);
        const paid = /pix_char_[0-9A-Z]{26}/.exec(answers)?.[0];
        await eventually(async () => expect(printed).toContain(`transparent.completed ${paid}`));
      } finally {
        receiver.kill();
      }
    });
  });
});
