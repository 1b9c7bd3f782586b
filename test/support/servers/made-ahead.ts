import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Log, runToEnd } from '../../../scripts/embedded/process.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Files that every jest worker and every process of the service would otherwise build again, by the
 * environment variables that name them.
 */
export interface MadeAhead {
  readonly RECEBE_TEST_WORKFLOW_BUNDLE: string;
  readonly NODE_COMPILE_CACHE: string;
}

/**
 * Bundles the workflows as an image does, into `folder`, and has Node keep what it compiles of the service: in the folder of earlier
 * commands, or in `folder` without one.
 */
export async function makeAhead(folder: string, log: Log): Promise<MadeAhead> {
  const made = {
    RECEBE_TEST_WORKFLOW_BUNDLE: join(folder, 'workflow-bundle.js'),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled'),
  };
  const options = { log, cwd: ROOT, env: { ...process.env, NODE_COMPILE_CACHE: made.NODE_COMPILE_CACHE } };
  const run = (what: string, args: string[]) => runToEnd(what, process.execPath, args, options);
  await Promise.all([
    run('Bundling the workflows', ['src/bundle.ts', made.RECEBE_TEST_WORKFLOW_BUNDLE]),
    run('Compiling the service', ['src/compile.ts']),
  ]);
  return made;
}
