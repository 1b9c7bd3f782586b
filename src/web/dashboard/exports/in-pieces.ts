import { Readable } from 'node:stream';

/** The browser must have taken the previous piece within this time. */
const STALLED_MS = 30_000;

/** Small, so that a slow connection takes one in time: about 4 kbit/s are enough. */
const PIECE_CHARS = 16 * 1024;

/**
 * The parts of a file as a stream that its reader must keep reading: it fails once nothing has been taken for 30 seconds. Bytes that the
 * browser sends meanwhile do not count, unlike in the socket's own timeout.
 */
export function inPieces(parts: AsyncIterable<string>): Readable {
  const stall = () => stream.destroy(new Error('nobody has read the download for 30 seconds'));
  const stream: Readable = Readable.from(watched(parts, stall));
  return stream;
}

async function* watched(parts: AsyncIterable<string>, stall: () => void): AsyncGenerator<string> {
  for await (const part of parts)
    for (let start = 0; start < part.length; start += PIECE_CHARS) {
      const timer = setTimeout(stall, STALLED_MS);
      try {
        yield part.slice(start, start + PIECE_CHARS);
      } finally {
        clearTimeout(timer);
      }
    }
}
