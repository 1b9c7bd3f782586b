import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../embedded/ports.mjs';

const START_MS = 60_000;
const POLL_MS = 100;

/** Prism between a client and `upstream`. It passes everything on, and reports what the document does not allow. */
export async function startPrism(conformance: string, document: string, upstream: string) {
  const port = await freePort();
  const program = `${conformance}/node_modules/@stoplight/prism-cli/dist/index.js`;
  const child = spawn(
    process.execPath,
    [program, 'proxy', document, upstream, '--host', '127.0.0.1', '--port', String(port)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const deadlineMs = performance.now() + START_MS;
  while (!output.includes('is listening')) {
    if (child.exitCode !== null || performance.now() > deadlineMs)
      throw new Error(`Prism did not start: ${output}`);
    await sleep(POLL_MS);
  }
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
