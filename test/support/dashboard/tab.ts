import type { Browser, Page } from 'playwright-core';
import { linkOfUser } from '../../../src/cli/users.ts';
import type { Role } from '../../../src/domain/role.ts';
import type { TestApp } from '../api/app.ts';
import { axeViolations } from '../web/axe.ts';

/** What a page is looked at on. */
export interface Screen {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** A common laptop by day, a common phone at night. */
export const SCREENS = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const satisfies readonly Screen[];

export interface Tab {
  readonly page: Page;
  /** Where the dashboard of the app's store begins. */
  readonly home: string;
  /** What its console has complained of. */
  readonly complaints: readonly string[];
}

/**
 * A tab of somebody who has come in by a link, as `npm start` prints one, and pressed its button.
 * @param role of whom `signedIn` has let in before.
 */
export async function openTab(
  browser: Browser,
  app: TestApp,
  role: Role,
  { width, colorScheme }: Screen,
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    locale: 'pt-BR',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const link = await linkOfUser(
    app.database.em.fork(),
    { email: `${role}@example.com` },
    'SIGN_IN',
    new Date(),
  );
  await page.goto(app.api.url + link);
  await page.getByRole('button', { name: 'Entrar' }).click();
  const home = `${app.api.url}/dashboard/${app.storeId}/dev`;
  await page.waitForURL(home);
  return { page, home, complaints };
}

/** What axe-core finds wrong with the page as it is now, and whether it scrolls sideways. */
export async function faultsOf(page: Page, { width }: Pick<Screen, 'width'>): Promise<string[]> {
  const violations = await axeViolations(page);
  const scrolled = await page.evaluate('document.documentElement.scrollWidth');
  const faults = scrolled === width ? violations : [...violations, `is ${scrolled} wide`];
  return faults.map((fault) => `${page.url()}: ${fault}`);
}
