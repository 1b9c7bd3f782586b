import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is now (WCAG 2.2 AA), in words that lead to it. @param rules by default all. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, to which the page's policy against foreign scripts does not apply; once for each page, because
  // it takes as long as opening one.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
