// Compiles a package for `import`, and for `require` if it has a tsconfig.cjs.json. The folder of another package than this
// one is an argument.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = resolve(process.argv[2] ?? dirname(fileURLToPath(import.meta.url)));
const PROJECTS = { esm: 'tsconfig.json', cjs: 'tsconfig.cjs.json' };
const TYPES = { esm: 'module', cjs: 'commonjs' };
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
const formats = Object.keys(PROJECTS).filter((format) => existsSync(join(FOLDER, PROJECTS[format])));
for (const format of formats)
  execFileSync(process.execPath, [COMPILER, '--project', join(FOLDER, PROJECTS[format])], {
    stdio: 'inherit',
  });
// The compiler renames imports in programs only. Compilers older than version 5 need it in declarations too.
const made = readdirSync(join(FOLDER, 'dist'), { recursive: true, encoding: 'utf8' });
for (const file of made.filter((name) => name.endsWith('.d.ts'))) {
  const path = join(FOLDER, 'dist', file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
for (const format of formats)
  writeFileSync(join(FOLDER, 'dist', format, 'package.json'), `{ "type": "${TYPES[format]}" }\n`);
