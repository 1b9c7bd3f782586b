import { Transform } from 'node:stream';

const WATCHED_EVERY_MS = 60_000;
/** About 70 kbit/s, which the slowest mobile networks reach. */
const LEAST_BYTES = 512 * 1024;

/**
 * Passes a download on, unless fewer than 512 KiB pass within a minute. A reader that takes a byte now and then would otherwise keep its
 * connection, and that to the store's server, for days.
 * @throws through the stream, with the code `TOO_SLOW`.
 */
export function leastRate(): Transform {
  let passedBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passedBytes += chunk.length;
      done(null, chunk);
    },
  });
  const watch = setInterval(() => {
    if (passedBytes < LEAST_BYTES)
      stream.destroy(Object.assign(new Error('the download is too slow'), { code: 'TOO_SLOW' }));
    passedBytes = 0;
  }, WATCHED_EVERY_MS);
  watch.unref();
  stream.once('close', () => clearInterval(watch));
  return stream;
}
