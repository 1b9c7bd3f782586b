import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Log } from './process.ts';

/** A closed network shows within this time; whoever can reach the server at all hears from it sooner. */
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
  const archive = await get(url);
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== expected) throw new Error(`${url} has checksum ${actual}, not ${expected}`);
  writeFileSync(file, archive);
}

/** Whether a server answers at all, however it answers. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(FIRST_ANSWER_TIMEOUT_MS) });
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
    const response = await fetch(url, { signal: abort.signal });
    clearTimeout(timer);
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    clearTimeout(timer);
    clearTimeout(bodyTimer);
  }
}

function checksumOf(url: string, checksums: string): string {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const line = checksums.split('\n').find((candidate) => candidate.trim().endsWith(name));
  const checksum = line?.trim().split(/\s+/)[0];
  if (!checksum) throw new Error(`no checksum is published for ${name}`);
  return checksum;
}
