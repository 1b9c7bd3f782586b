import type { Page } from 'playwright-core';
import type { CheckoutScene } from '../pages/checkout-states.ts';

/** Opens the scene's page and does what its payer does there. */
export async function openScene(page: Page, url: string, { path, form }: CheckoutScene): Promise<void> {
  await page.goto(url + path);
  if (form === undefined) return;
  if (form.choose !== undefined) await page.getByRole('radio', { name: form.choose }).check();
  for (const [label, text] of Object.entries(form.fields ?? {})) await page.getByLabel(label).fill(text);
  await page.getByRole('button', { name: form.press }).click();
  await page.waitForLoadState('load');
}
