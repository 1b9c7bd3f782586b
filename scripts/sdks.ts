import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './embedded/process.mjs';
import { runAndStop, say } from './embedded/run-and-stop.ts';
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
  await makeTypes(join(SDKS, 'typescript'));
}

function check(): void {
  const outdated = outdatedFiles(SDKS);
  if (outdated.length === 0) return;
  say(`The API has changed, but not the SDKs. Run "${MAKE}" and commit:\n${outdated.join('\n')}`);
  process.exitCode = 1;
}

async function makeTypes(folder: string): Promise<void> {
  const program = join(folder, 'node_modules', '.bin', 'openapi-typescript');
  if (!existsSync(program))
    await runToEnd('Installing openapi-typescript', 'npm', ['ci'], { log: say, cwd: folder });
  const output = ['--output', 'src/generated/schema.ts'];
  await runToEnd('openapi-typescript', program, ['../openapi.json', ...output], { log: say, cwd: folder });
}

await runAndStop(main);
