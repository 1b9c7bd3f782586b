import { type Browser, chromium } from 'playwright-core';

/** Where Debian's `chromium` package puts it. */
const DEFAULT_CHROMIUM_PATH = '/usr/bin/chromium';

/** Starts the machine's Chromium (`CHROMIUM_PATH` names another one) such that it makes no calls of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? DEFAULT_CHROMIUM_PATH,
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
