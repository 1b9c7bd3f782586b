import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { ApiMiddleware } from './state.ts';

/** What fits into one packet takes as long uncompressed. */
const THRESHOLD_BYTES = 1_400;
/** Of eleven: most of what there is to gain, for little more work than gzip. */
const BROTLI_QUALITY = 4;

/** Answers are compressed for clients that ask for it by `Accept-Encoding`. */
export const compression: ApiMiddleware = compress({
  threshold: THRESHOLD_BYTES,
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
});
