import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { CHROMIUM_IS_CARRIED, carriedChromium } from './carried-chromium.ts';
import { installedBrowsers } from './installed-browsers.ts';

/**
 * Starts the Chromium that `CHROMIUM_PATH` names, else one that is installed, else the one that npm has brought.
 * @throws Error saying in one line what would help when there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return launch({ executablePath: named });
  for (const browser of installedBrowsers()) {
    // One that is found may still not start, such as the script that tells Ubuntu's users to install another package.
    const started = await launch(browser).catch(() => undefined);
    if (started !== undefined) return started;
  }
  if (CHROMIUM_IS_CARRIED) return launch(await carriedChromium());
  throw new Error('No browser starts here: install Chromium, Chrome or Edge, or set CHROMIUM_PATH to one.');
}

/** Starts a browser such that it makes no calls of its own. */
export function launch(options: LaunchOptions): Promise<Browser> {
  return chromium.launch({
    ...options,
    args: [
      '--headless',
      // Tests may run as root, where Chromium's sandbox does not start; the pages are our own.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Has no time pass on the page that is opened next, so that what it shows for a moment stays until `page.clock` is moved on. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}
