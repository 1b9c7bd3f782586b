// Compiles the nodes as CommonJS, which n8n loads, and puts their icons and codex files beside them.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const DIST = join(FOLDER, 'dist');
// Adapters share the compiler of the SDK.
const REQUIRE = createRequire(join(FOLDER, '../typescript/build.mjs'));
const COMPILER = join(dirname(REQUIRE.resolve('typescript/package.json')), 'bin/tsc');

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, [COMPILER, '--project', FOLDER], { stdio: 'inherit' });
cpSync(join(FOLDER, 'icons'), join(DIST, 'icons'), { recursive: true });
for (const node of ['Recebe', 'RecebeTrigger']) {
  const codex = join('nodes', node, `${node}.node.json`);
  cpSync(join(FOLDER, codex), join(DIST, codex));
}
writeFileSync(join(DIST, 'package.json'), '{ "type": "commonjs" }\n');
