import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { advisoriesText, readAuditReport } from '../../scripts/advisories/audit-report.ts';
import { spawnScript } from '../support/servers/processes.ts';

const weakness = (severity: string) => ({
  name: 'koa',
  severity,
  via: [{ title: 'Open redirect' }, 'a-dependency'],
});
const report = (severity: string) => JSON.stringify({ vulnerabilities: { koa: weakness(severity) } });

describe('output of npm audit', () => {
  it.each(['high', 'critical'])('names a package with a %s advisory', (severity) => {
    const read = readAuditReport(report(severity));
    expect(read).toEqual({
      kind: 'answered',
      serious: [{ name: 'koa', severity, titles: ['Open redirect'] }],
      lesser: 0,
    });
    expect(advisoriesText(read)).toContain(`${severity}: koa: Open redirect`);
  });

  it.each(['moderate', 'low', 'info'])('only counts a package with a %s advisory', (severity) => {
    expect(readAuditReport(report(severity))).toEqual({ kind: 'answered', serious: [], lesser: 1 });
  });

  it('says that a registry did not answer, and fails for a project without a lock file', () => {
    expect(readAuditReport('{"message":"connect ECONNREFUSED"}')).toMatchObject({ kind: 'unanswered' });
    expect(readAuditReport('')).toMatchObject({ kind: 'unanswered' });
    expect(() => readAuditReport('{"error":{"code":"ENOLOCK"}}')).toThrow('ENOLOCK');
  });
});

/** A registry that knows one weakness of koa. */
async function withRegistry<Result>(
  severity: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer((request, response) => {
    request.resume();
    const path = decodeURIComponent(request.url?.slice(1) ?? '');
    const isBulk = path.endsWith('/advisories/bulk');
    const advisory = { id: 1, title: 'Open redirect', severity, url: 'x', vulnerable_versions: '>=0' };
    const versions = { '1.0.0': { name: path, version: '1.0.0' } };
    const answer = isBulk ? { koa: [advisory] } : { name: path, 'dist-tags': { latest: '1.0.0' }, versions };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** With a cache of its own: npm keeps what a registry has said of an advisory. */
async function check(registry: string) {
  const cache = mkdtempSync(join(tmpdir(), 'recebe-npm-'));
  const env = { npm_config_registry: registry, npm_config_cache: cache };
  await using script = spawnScript('scripts/advisories.ts', env);
  await script.exited;
  rmSync(cache, { recursive: true, force: true });
  return { exited: await script.exited, output: script.output() };
}

describe('npm run advisories', () => {
  it('fails for a high advisory of a package that the service runs with', async () => {
    const { exited, output } = await withRegistry('high', check);
    expect([exited, output]).toEqual(['exit code 1', expect.stringContaining('high: koa: Open redirect')]);
  });

  it('passes for a moderate advisory', async () => {
    const { exited, output } = await withRegistry('moderate', check);
    expect([exited, output]).toEqual(['exit code 0', expect.stringContaining('none is high or critical')]);
  });

  it('passes without a network, and says that nothing was checked', async () => {
    const { exited, output } = await check('http://127.0.0.1:9/');
    expect([exited, output]).toEqual(['exit code 0', expect.stringContaining('advisories not checked')]);
  });
});
