import { condition } from '@temporalio/workflow';

/**
 * Sleeps until an instant; not at all where it has passed.
 * @param sooner ends the sleep as soon as it holds.
 * @param summary names the timer in the UI.
 */
export async function waitUntil(instantMs: number, sooner: () => boolean, summary: string): Promise<void> {
  const waitMs = instantMs - Date.now();
  if (waitMs > 0) await condition(sooner, waitMs, { summary });
}
