import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import type { Log } from './process.ts';

/** A server that can be reached answers within this time; otherwise the network is closed. */
const FIRST_ANSWER_TIMEOUT_MS = 8_000;

/** Enough for an archive of 60 MB at 2 Mbit/s. */
const BODY_TIMEOUT_MS = 240_000;

/**
 * Downloads a release archive and checks it against the release's `checksums.txt`.
 * @throws Error when it cannot be reached in time, or differs from its checksum.
 */
export async function downloadArchive(
  url: string,
  checksumsUrl: string,
  file: string,
  log: Log,
): Promise<void> {
  const expected = checksumOf(url, (await get(checksumsUrl)).toString('utf8'));
  log(`Downloading ${url}`);
  await downloadFile(url, expected, file);
}

/**
 * Downloads a file whose SHA-256 is known. @throws Error when it cannot be reached in time, or is another
 * one.
 */
export async function downloadFile(url: string, expected: string, file: string): Promise<void> {
  const content = await get(url);
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== expected) throw new Error(`${url} has checksum ${actual}, not ${expected}`);
  writeFileSync(file, content);
}

/** Whether a server answers at all, however it answers. */
export async function isReachable(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(FIRST_ANSWER_TIMEOUT_MS);
  try {
    await fetch(url, { method: 'HEAD', signal, dispatcher: network() });
    return true;
  } catch {
    return false;
  }
}

async function get(url: string): Promise<Buffer> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), FIRST_ANSWER_TIMEOUT_MS);
  const bodyTimer = setTimeout(() => abort.abort(), BODY_TIMEOUT_MS);
  try {
    const response = await fetch(url, { signal: abort.signal, dispatcher: network() });
    clearTimeout(timer);
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    clearTimeout(timer);
    clearTimeout(bodyTimer);
  }
}

let agent: Dispatcher | undefined;

/**
 * The network as this machine's other programs know it: through the proxy that HTTPS_PROXY names, and
 * trusting the authorities that the machine trusts, as a company's own may stand between it and the internet.
 * Node does neither.
 */
function network(): Dispatcher {
  if (agent === undefined) {
    const ca = [...getCACertificates('default'), ...getCACertificates('system')];
    agent = new EnvHttpProxyAgent({ connect: { ca }, requestTls: { ca }, proxyTls: { ca } });
  }
  return agent;
}

function checksumOf(url: string, checksums: string): string {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const line = checksums.split('\n').find((candidate) => candidate.trim().endsWith(name));
  const checksum = line?.trim().split(/\s+/)[0];
  if (!checksum) throw new Error(`no checksum is published for ${name}`);
  return checksum;
}
