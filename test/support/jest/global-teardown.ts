import type {} from './global-setup.ts';

/** Stops what the setup of the run started, and removes its data. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.stopTestServers?.();
}
