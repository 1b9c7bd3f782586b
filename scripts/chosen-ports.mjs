import { isPortFree } from './embedded/ports.mjs';

/** Settings that choose a port of `npm start`, with the lowest number: 0 lets the system choose. */
const SETTINGS = {
  PORT: 0,
  RECEBE_POSTGRES_PORT: 1,
  RECEBE_TEMPORAL_PORT: 1,
  RECEBE_TEMPORAL_UI_PORT: 1,
};

/**
 * The ports that were set in the environment, by the name of their setting; undefined if not set.
 * @throws Error that names an invalid one.
 */
export function readPorts() {
  return Object.fromEntries(Object.entries(SETTINGS).map(([name, least]) => [name, readPort(name, least)]));
}

function readPort(name, least) {
  const text = process.env[name];
  if (!text) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= least && port <= 65_535) return port;
  throw new Error(`${name} must be a port number from ${least} to 65535, not "${text}".`);
}

/** @throws Error if a port that was set is in use. Its message names the setting. */
export async function requireFreePorts(ports) {
  for (const [name, port] of Object.entries(ports)) {
    if (!port || (await isPortFree(port))) continue;
    throw new Error(`Port ${port} is in use. Stop what listens there, or set ${name} to another one.`);
  }
}
