import { errorCode } from '../embedded/errors.mjs';

/** @param option such as `--port`. @throws Error with the usage unless it is a whole number that a port may have. */
export function numberOf(option: string, text: string, usage: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new Error(`${option} must be a number from 0 to 65535\n${usage}`);
}

/** @throws Error naming the taken port, in place of the system's error. */
export function portTaken(error: unknown): never {
  if (errorCode(error) !== 'EADDRINUSE') throw error;
  const { port } = error as { readonly port?: number };
  throw new Error(`port ${port} is taken; choose others with --port and --admin-port`);
}
