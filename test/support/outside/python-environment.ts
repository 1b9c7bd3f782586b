import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * A Python with packages, made once below `node_modules/.cache`. Null if this machine has no Python 3.11, or reaches no registry
 * of Python packages. @param requirements a file of `pip install -r`.
 */
export async function pythonWith(name: string, requirements: string): Promise<string | null> {
  const folder = join(ROOT, 'node_modules', '.cache', name);
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const done = join(folder, 'installed');
  if (existsSync(done)) return python;
  try {
    await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 11)']);
    mkdirSync(folder, { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(python, [...install, '-r', requirements, join(ROOT, 'sdks/python')]);
    mkdirSync(done);
    return python;
  } catch {
    return null;
  }
}
