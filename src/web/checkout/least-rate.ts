import { Transform } from 'node:stream';

const WATCHED_EVERY_MS = 60_000;

/**
 * Passes a download on, unless fewer bytes pass within a minute than they have to. A reader that takes a byte now and then would
 * otherwise keep its connection, and that to the store's server, for days.
 * @throws through the stream, with the code `TOO_SLOW`.
 */
export function leastRate(leastBytesPerMinute: () => number): Transform {
  let passedBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passedBytes += chunk.length;
      done(null, chunk);
    },
  });
  const watch = setInterval(() => {
    if (passedBytes < leastBytesPerMinute())
      stream.destroy(Object.assign(new Error('the download is too slow'), { code: 'TOO_SLOW' }));
    passedBytes = 0;
  }, WATCHED_EVERY_MS);
  watch.unref();
  stream.once('close', () => clearInterval(watch));
  return stream;
}
