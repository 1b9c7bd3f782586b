import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** A server that can be reached answers within this time; otherwise the network is closed. */
const FIRST_ANSWER_TIMEOUT_MS = 8_000;

/** Enough for an archive of 60 MB at 2 Mbit/s. */
const BODY_TIMEOUT_MS = 240_000;

/**
 * Downloads by the given fetch.
 * @param options what fetch gets with each request, such as the network to use.
 */
export function downloads(fetch, options = () => ({})) {
  return {
    /**
     * Downloads a release archive and checks it against the release's `checksums.txt`.
     * @throws Error when it cannot be reached in time, or differs from its checksum.
     */
    async downloadArchive(url, checksumsUrl, file, log) {
      const expected = checksumOf(url, (await get(checksumsUrl)).toString('utf8'));
      log(`Downloading ${url}`);
      const content = await get(url, (percent) => log(`Downloading ${url}: ${percent} %`));
      requireChecksum(url, content, expected);
      writeFileSync(file, content);
    },

    /**
     * Downloads a file whose SHA-256 is known. @throws Error when it cannot be reached in time, or is another
     * one.
     */
    async downloadFile(url, expected, file) {
      const content = await get(url);
      requireChecksum(url, content, expected);
      writeFileSync(file, content);
    },

    /** Whether a server answers at all, however it answers. */
    async isReachable(url) {
      const signal = AbortSignal.timeout(FIRST_ANSWER_TIMEOUT_MS);
      try {
        await fetch(url, { method: 'HEAD', signal, ...options() });
        return true;
      } catch {
        return false;
      }
    },
  };

  async function get(url, onPercent = () => {}) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), FIRST_ANSWER_TIMEOUT_MS);
    const bodyTimer = setTimeout(() => abort.abort(), BODY_TIMEOUT_MS);
    try {
      const response = await fetch(url, { signal: abort.signal, ...options() });
      clearTimeout(timer);
      if (!response.ok) throw new Error(`${url} answers ${response.status}`);
      return await contentOf(response, onPercent);
    } finally {
      clearTimeout(timer);
      clearTimeout(bodyTimer);
    }
  }
}

async function contentOf(response, onPercent) {
  const total = Number(response.headers.get('content-length'));
  const chunks = [];
  let bytes = 0;
  let reported = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    const percent = Math.min(100, Math.floor((100 * bytes) / total));
    if (percent > reported) onPercent(percent);
    reported = percent;
  }
  return Buffer.concat(chunks);
}

function requireChecksum(url, content, expected) {
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== expected) throw new Error(`${url} has checksum ${actual}, not ${expected}`);
}

function checksumOf(url, checksums) {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const line = checksums.split('\n').find((candidate) => candidate.trim().endsWith(name));
  const checksum = line?.trim().split(/\s+/)[0];
  if (!checksum) throw new Error(`no checksum is published for ${name}`);
  return checksum;
}
