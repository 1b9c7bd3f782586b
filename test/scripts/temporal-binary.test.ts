import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporalBinary } from '../../scripts/embedded/temporal-binary.mjs';
import { copyServerSources } from '../../scripts/embedded/temporal-server-edits.mjs';
import { needsTemporal } from '../../scripts/prepare-temporal.mjs';
import { eventually } from '../support/waiting/eventually.ts';

const PROGRAMS = ['tar', 'gzip', 'sh'];

let machine: string;
const { PATH } = process.env;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'recebe-temporal-binary-'));
  const bin = join(machine, 'bin');
  mkdirSync(bin);
  for (const program of PROGRAMS)
    symlinkSync(
      execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(),
      join(bin, program),
    );
  // Without a server and without Go.
  Object.assign(process.env, { PATH: bin, XDG_CACHE_HOME: machine });
});
afterEach(() => {
  process.env.PATH = PATH;
  delete process.env.XDG_CACHE_HOME;
  rmSync(machine, { recursive: true });
});

/** Writes an archive with a program that answers as a server does. */
function archive(file: string): void {
  const program = join(machine, 'temporal');
  writeFileSync(program, '#!/bin/sh\necho "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"\n');
  chmodSync(program, 0o755);
  execFileSync('tar', ['-czf', file, '-C', machine, 'temporal']);
}

describe('obtaining the Temporal server', () => {
  it('downloads it once and shows a waiting caller how far the download is', async () => {
    const lines: string[] = [];
    const finish = Promise.withResolvers<void>();
    let downloads = 0;
    const download = async (_url: string, _sums: string, file: string, log: (line: string) => void) => {
      downloads += 1;
      log('Downloading: 43 %');
      await finish.promise;
      archive(file);
    };
    const first = temporalBinary(() => {}, download);
    await eventually(() => expect(downloads).toBe(1));
    const second = temporalBinary((line) => lines.push(line), download);
    await eventually(() => expect(lines).toContain('Downloading: 43 %'));
    finish.resolve();
    const path = await first;
    expect(dirname(path)).toBe(join(machine, 'recebe'));
    expect(await second).toBe(path);
    expect(await temporalBinary(() => {}, download)).toBe(path);
    expect(downloads).toBe(1);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('names all sources that failed and leaves nothing behind', async () => {
    const download = () => Promise.reject(new Error('no network'));
    await expect(temporalBinary(() => {}, download)).rejects.toThrow(
      'No Temporal server (download: no network; Go: not on the PATH; pip: no Python with pip is here)',
    );
    expect(readdirSync(join(machine, 'recebe'))).toEqual([]);
  });
});

describe('sources of the server', () => {
  it('refuses sources that an edit does not fit', () => {
    const from = join(machine, 'from');
    const folder = join(from, 'common/archiver/provider');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'provider.go'), 'package provider\n');
    expect(() => copyServerSources(from, join(machine, 'to'))).toThrow(/provider\.go is not as expected/);
  });
});

describe('a server that is obtained beside the installation', () => {
  it('prepares it for starts and whole test runs only', () => {
    expect(needsTemporal('start', [])).toBe(true);
    expect(needsTemporal('test', [])).toBe(true);
    expect(needsTemporal('test', ['--all'])).toBe(true);
    expect(needsTemporal('test', ['test/domain'])).toBe(false);
    expect(needsTemporal('check', [])).toBe(false);
  });
});
