import { freePort, isPortFree, portNear } from './embedded/ports.mjs';

/**
 * Ports taken when free and not set otherwise: Temporal's own, and one beside those a system's Postgres may
 * use. If one is taken, the next free one is used.
 */
export const DEFAULT_PORTS = {
  PORT: 3000,
  RECEBE_POSTGRES_PORT: 54_320,
  RECEBE_TEMPORAL_PORT: 7233,
  RECEBE_TEMPORAL_UI_PORT: 8233,
};

/**
 * Starts a server on the port that was set, else on its default one, else on a free one. Two instances that
 * start at the same moment may choose the same port; the one that comes too late takes another.
 */
export async function onPort<T>(
  wanted: number | undefined,
  usual: number,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (wanted !== undefined) return start(wanted);
  const port = await portNear(usual);
  try {
    return await start(port);
  } catch (error) {
    if (await isPortFree(port)) throw error;
    return start(await freePort());
  }
}
