import { randomInt } from 'node:crypto';
import { isPortFree } from '../../../scripts/embedded/ports.mjs';

/**
 * Below what operating systems give to those who connect somewhere (Linux from 32 768 on, others from 49
 * 152): of the hundreds of connections that tests make in a second, one would now and then have the port of a
 * server that is not up yet, or killed for a while.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** Another one in each process, and the next one each time: two servers never get the same. */
let next = randomInt(COUNT);

/** A port that is free, and stays so until a server takes it, or takes it again. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    if (await isPortFree(port)) return port;
  }
}
