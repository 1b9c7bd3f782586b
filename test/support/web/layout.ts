import type { Page } from 'playwright-core';

/** Evaluated in the page: a word that is on two lines has rectangles at two heights. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Texts for screen readers only are drawn in one pixel.
    if (!node.parentElement.checkVisibility() || node.parentElement.getBoundingClientRect().width <= 1) continue;
    for (const { 0: word, index } of node.data.matchAll(/(?<!\\S)\\p{L}{2,20}(?=[\\s.,:;!?)]|$)/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** The words of up to twenty letters that the page breaks. */
export async function brokenWordsOf(page: Page): Promise<string[]> {
  return page.evaluate(BROKEN_WORDS);
}

/** Evaluated in the page. */
const SHIFTS = `new Promise((resolve) => {
  const shifts = [];
  const keep = (list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push({ value, moved: sources.map(({ node }) => node?.className || node?.nodeName) });
  };
  const observer = new PerformanceObserver(keep);
  observer.observe({ type: 'layout-shift', buffered: true });
  // Shifts of one frame are reported in the next.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    keep({ getEntries: () => observer.takeRecords() });
    resolve(shifts);
  })));
})`;

/** What has moved since the page was opened. */
export async function shiftsOf(page: Page): Promise<unknown[]> {
  return page.evaluate(SHIFTS);
}

const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
})`;

/** Lets every script of the page arrive after the first paint, as on a slow line. */
export async function delayScripts(page: Page): Promise<void> {
  await page.route('**/*.js', async (route) => {
    await page.evaluate(FIRST_PAINT);
    await route.continue();
  });
}
