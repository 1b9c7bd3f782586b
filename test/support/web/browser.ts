import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { CHROMIUM_IS_CARRIED, carriedChromium } from './carried-chromium.ts';
import { installedBrowsers } from './installed-browsers.ts';

/**
 * Starts the Chromium that `CHROMIUM_PATH` names, else the one that npm has brought, else one that is
 * installed. What npm brings is the same version everywhere, and has no user interface, which costs installed
 * ones three quarters of their processor time.
 * @throws Error saying in one line what would help when there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return launch({ executablePath: named });
  const carried = CHROMIUM_IS_CARRIED ? [carriedChromium] : [];
  const installed = installedBrowsers().map((browser) => async () => browser);
  for (const found of [...carried, ...installed]) {
    // One that is found may still not start, such as the script that tells Ubuntu's users to install another
    // package.
    const started = await found()
      .then(launch)
      .catch(() => undefined);
    if (started !== undefined) return started;
  }
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

/**
 * Has no time pass on the page that is opened next, so that what it shows for a moment stays until
 * `page.clock` is moved on.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
}
