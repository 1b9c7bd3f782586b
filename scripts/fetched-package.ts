import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs a package for one use, outside of this project, so that it does not come with every installation.
 * @param spec with its version: `name@1.2.3`.
 * @param use gets the package's folder, which is deleted afterwards.
 */
export async function withFetchedPackage(
  spec: string,
  use: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recebe-package-'));
  try {
    const isWindows = process.platform === 'win32';
    execFileSync(
      isWindows ? 'npm.cmd' : 'npm',
      ['install', '--prefix', folder, '--no-save', '--ignore-scripts', spec],
      { stdio: 'inherit', shell: isWindows },
    );
    await use(join(folder, 'node_modules', spec.slice(0, spec.lastIndexOf('@'))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
