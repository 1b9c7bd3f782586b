import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';
import { machineCache } from '../../../scripts/embedded/cache-folder.mjs';
import { madeOnce } from '../../../scripts/embedded/machine-cache.ts';
import { type Log, runToEnd } from '../../../scripts/embedded/process.mjs';

/** Whether npm has brought a Chromium that runs here: the package contains one for this platform only. */
export const CHROMIUM_IS_CARRIED = process.platform === 'linux' && process.arch === 'x64';

/**
 * The Chromium within the package @sparticuz/chromium, unpacked once per machine. It needs nothing of the
 * system's.
 */
export async function carriedChromium(log: Log = () => {}): Promise<LaunchOptions> {
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const unpackHere = (target: string) => unpack(packageFolder, target, log);
  const folder = await madeOnce(machineCache(), `chromium-${version}`, unpackHere, log);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}

/** The package unpacks into the folder for temporary files, which is therefore said to be ours. */
async function unpack(packageFolder: string, target: string, log: Log): Promise<void> {
  await mkdir(target);
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await runToEnd(
    'Unpacking the Chromium that npm has brought, once for this machine',
    process.execPath,
    ['--input-type=module', '--eval', program],
    {
      log,
      cwd: packageFolder,
      // The second one makes it unpack the shared libraries too that a system without a desktop does not
      // have.
      env: { ...process.env, TMPDIR: target, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    },
  );
  await writeFile(join(target, 'fonts', 'fonts.conf'), FONTS);
}

/** The package's own file names the folders of its usual hosts. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
