import { createInterface } from 'node:readline/promises';
import { runCli } from './run.ts';

// The entry point of `npx recebe` and of `npm run cli`.
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    stopping.abort();
    // What does not go on for ever has its own end, or none: a second signal is the system's.
  });
}
// Whoever reads us may have enough (`| head`).
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  signal: stopping.signal,
  ...(process.stdin.isTTY && process.stderr.isTTY && { confirm }),
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
