/**
 * Whether a host of a parsed URL is the machine itself: `localhost`, a name below it, 127.0.0.0/8 or `::1`. A name is never looked
 * up in DNS for this, and a mapped address such as `[::ffff:127.0.0.1]` does not count.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_NAME.test(hostname);
}

/** Matches parsed addresses, in which every notation of 127.0.0.1 is normalized. */
const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Where `localhost` and the names below it lead (RFC 6761), without asking DNS. */
export const LOOPBACK_ADDRESSES: readonly string[] = ['127.0.0.1', '::1'];
