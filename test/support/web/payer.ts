import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations } from './axe.ts';

/** Generous for slow machines, because tests do not measure how soon a page changes. */
const PATIENCE_MS = 60_000;

/** A card of the sandbox. */
export const APPROVED = '4242 4242 4242 4242';
export const NO_FUNDS = '4000 0000 0000 9995';

/** Somebody who pays on the hosted page, in a real browser, doing what the page's words say. */
export class Payer implements AsyncDisposable {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE_MS);
  }

  static async on(browser: Browser, options: BrowserContextOptions = {}): Promise<Payer> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    return new Payer(await context.newPage());
  }

  open(url: string) {
    return this.page.goto(url);
  }

  choose(method: 'PIX' | 'Cartão' | 'Boleto') {
    return this.page.locator('.method__label', { hasText: method }).click();
  }

  press(name: string | RegExp) {
    return this.page.getByRole('button', { name }).click();
  }

  type(label: string, text: string) {
    return this.page.getByLabel(label).fill(text);
  }

  /** Fills in the card's fields; any date to come and any code will do. */
  async typeCard(number: string): Promise<void> {
    await this.type('Número do cartão', number);
    await this.type('Nome impresso no cartão', 'ANA SOUZA');
    await this.type('Validade', '12/39');
    await this.type('CVV', '123');
  }

  /** Waits for a heading with this text. */
  sees(heading: string | RegExp) {
    return this.page.getByRole('heading', { name: heading }).first().waitFor();
  }

  /** Waits for this text anywhere on the page. */
  reads(text: string | RegExp) {
    return this.page.getByText(text).first().waitFor();
  }

  /**
   * Fails where a person who sees, hears or reaches little could not use the page as it is now (WCAG 2.2 AA).
   */
  async checkAccessibility(): Promise<void> {
    expect(await axeViolations(this.page)).toEqual([]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.page.context().close();
  }
}
