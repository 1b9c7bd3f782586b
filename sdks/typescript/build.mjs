// Compiles the package twice: for `import` and for `require`.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json'])
  execFileSync(process.execPath, [COMPILER, '--project', join(FOLDER, project)], { stdio: 'inherit' });
// The compiler renames imports in programs only; compilers of before version 5 need it in declarations too.
for (const file of globSync('dist/*/**/*.d.ts', { cwd: FOLDER })) {
  const path = join(FOLDER, file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
writeFileSync(join(FOLDER, 'dist/esm/package.json'), '{ "type": "module" }\n');
writeFileSync(join(FOLDER, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
