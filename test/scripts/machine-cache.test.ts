import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { madeOnce } from '../../scripts/embedded/machine-cache.ts';

const CACHE_MODULE = new URL('../../scripts/embedded/machine-cache.ts', import.meta.url).href;

describe('what a machine needs once, such as the Temporal server', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recebe-cache-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const unlocked = () => readdirSync(folder).filter((name) => !name.startsWith('server.lock'));
  const made = (make: (target: string) => Promise<void>) => madeOnce(folder, 'server', make, () => {});

  it('creates it once if several callers need it at the same time', async () => {
    let makes = 0;
    const make = async (target: string) => {
      makes += 1;
      await sleep(100);
      await writeFile(target, 'whole');
    };
    const paths = await Promise.all([made(make), made(make), made(make)]);
    expect(new Set(paths)).toEqual(new Set([join(folder, 'server')]));
    expect(makes).toBe(1);
  });

  it('leaves nothing behind after a failure and retries on the next call', async () => {
    const fail = async (target: string) => {
      await writeFile(target, 'half');
      throw new Error('no space left on device');
    };
    await expect(made(fail)).rejects.toThrow('no space left on device');
    expect(unlocked()).toEqual([]);
    await made((target) => writeFile(target, 'whole'));
    expect(readFileSync(join(folder, 'server'), 'utf8')).toBe('whole');
  });

  it('removes the partial file of a killed process and creates it again', async () => {
    const maker = `import(${JSON.stringify(CACHE_MODULE)}).then(({ madeOnce }) =>
      madeOnce(${JSON.stringify(folder)}, 'server', async (target) => {
        require('node:fs').writeFileSync(target, 'half');
        console.log('half');
        await new Promise(() => setInterval(() => {}, 1000));
      }, () => {}));`;
    const child = spawn(process.execPath, ['--eval', maker], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(unlocked()).toEqual([expect.stringMatching(/^\.server\./)]);
    await made((target) => writeFile(target, 'whole'));
    expect(unlocked()).toEqual(['server']);
    expect(readFileSync(join(folder, 'server'), 'utf8')).toBe('whole');
  });
});
