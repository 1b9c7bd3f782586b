import { freePort, isPortFree, portNear } from './embedded/ports.ts';

/**
 * Ports taken when free and not set otherwise: Temporal's own, and one beside those a system's Postgres may
 * use.
 */
export const DEFAULT_PORTS = {
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

/** Ports that were set in the environment. @throws Error naming one that is no port. */
export function readPorts(): Record<keyof typeof DEFAULT_PORTS, number | undefined> {
  return {
    RECEBE_POSTGRES_PORT: readPort('RECEBE_POSTGRES_PORT'),
    RECEBE_TEMPORAL_PORT: readPort('RECEBE_TEMPORAL_PORT'),
    RECEBE_TEMPORAL_UI_PORT: readPort('RECEBE_TEMPORAL_UI_PORT'),
  };
}

function readPort(name: string): number | undefined {
  const text = process.env[name];
  if (!text) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
  throw new Error(`${name} must be a port number from 1 to 65535, not "${text}".`);
}

/** @throws Error when the port is in use, naming the setting that chose it. */
export async function requireFree(name: string, port: number): Promise<void> {
  if (await isPortFree(port)) return;
  throw new Error(`Port ${port} is in use. Stop what listens there, or set ${name} to another one.`);
}
