import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

/**
 * What packages call Chromium and those built from it. The page tests use nothing that only one of them has.
 */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Where Linux and macOS have programs that somebody's own PATH may leave out. */
const FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/homebrew/bin',
  '/Applications/Chromium.app/Contents/MacOS',
];

/** What Playwright calls Chrome and Edge, which it finds where their installers put them on every system. */
const CHANNELS = ['chrome', 'msedge'];

/**
 * Ways to start a browser that this machine may have, best first. One that turns out not to be there fails at
 * once.
 */
export function installedBrowsers(path = process.env.PATH ?? '', more = FOLDERS): LaunchOptions[] {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = new Set([...path.split(delimiter), ...more].filter((folder) => folder !== ''));
  const programs = NAMES.flatMap((name) => [...folders].map((folder) => join(folder, `${name}${suffix}`)));
  return [
    ...programs.filter(isProgram).map((executablePath) => ({ executablePath })),
    ...CHANNELS.map((channel) => ({ channel })),
  ];
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
