import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { runCli } from './run.ts';

// The entry point of `npx recebe` and of `npm run cli`.
const stopping = new AbortController();
/** Commands that run until stopped get this long to shut down; then the process exits as by the signal itself. */
const GRACE_MS = 1_000;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    stopping.abort();
    setTimeout(() => process.kill(process.pid, signal), GRACE_MS).unref();
  });
}
// The reader may close the pipe early (`| head`).
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  signal: stopping.signal,
  ...(process.stdin.isTTY && process.stderr.isTTY && { confirm, askSecret }),
});

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Type "yes" to go on: `, { signal: stopping.signal });
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

async function askSecret(question: string): Promise<string> {
  process.stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await terminal.question('', { signal: stopping.signal })).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
