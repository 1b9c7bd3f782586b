import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tryLock, waitForLock } from '../../scripts/embedded/lock.ts';

const LOCK_MODULE = new URL('../../scripts/embedded/lock.ts', import.meta.url).href;

describe('a lock', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'recebe-lock-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('allows one holder at a time until it is released', () => {
    const file = join(folder, 'one');
    const release = tryLock(file);
    expect(release).toBeDefined();
    expect(tryLock(file)).toBeUndefined();
    release?.();
    const again = tryLock(file);
    expect(again).toBeDefined();
    again?.();
  });

  it('becomes free as soon as its holder is killed with kill -9', async () => {
    const file = join(folder, 'killed');
    const holder = `import(${JSON.stringify(LOCK_MODULE)}).then(({ tryLock }) => {
      tryLock(${JSON.stringify(file)});
      console.log('held');
      setInterval(() => {}, 1000);
    });`;
    const child = spawn(process.execPath, ['--eval', holder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    let waited = false;
    const release = await waitForLock(file, 10_000, () => {
      waited = true;
      child.kill('SIGKILL');
    });
    expect(waited).toBe(true);
    expect(release).toBeDefined();
    release?.();
  });
});
