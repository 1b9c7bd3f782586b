import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './embedded/process.mjs';
import { runAndStop, say } from './embedded/run-and-stop.ts';
import { GENERATED } from './sdks/generators.ts';
import { MAKE, madeFiles, outdatedFiles } from './sdks/outdated.ts';

const SDKS = fileURLToPath(new URL('../sdks', import.meta.url));

/**
 * `npm run sdks`: makes what is generated in `sdks/` from the API's document. `--check` only compares what needs
 * no generator of others, in a second; `npm run clients` compares everything.
 */
async function main(): Promise<void> {
  if (process.argv.includes('--check')) return check();
  for (const { path, text } of madeFiles(SDKS)) {
    const file = join(SDKS, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const file of GENERATED) {
    const missing = await file.missing(run);
    if (missing === null) await file.make(run, SDKS, join(SDKS, file.path));
    else say(`Left out sdks/${file.path}: ${file.generator} needs ${missing}`);
  }
}

function check(): void {
  const outdated = outdatedFiles(SDKS);
  if (outdated.length === 0) return;
  say(`The API has changed, but not the SDKs. Run "${MAKE}" and commit:\n${outdated.join('\n')}`);
  process.exitCode = 1;
}

function run(what: string, command: string, args: string[], cwd?: string): Promise<void> {
  return runToEnd(what, command, args, { log: say, ...(cwd !== undefined && { cwd }) });
}

await runAndStop(main);
