import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { ApiMiddleware } from './state.ts';

/** A response that fits into one packet gains nothing from compression. */
const THRESHOLD_BYTES = 1_400;
/** Out of eleven. Most of the reduction, for little more CPU time than gzip. */
const BROTLI_QUALITY = 4;

/** Compresses responses for clients that send `Accept-Encoding`. */
export const compression: ApiMiddleware = compress({
  threshold: THRESHOLD_BYTES,
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
});
