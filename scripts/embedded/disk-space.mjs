import { statfsSync } from 'node:fs';

/**
 * Refuses to begin what a full disk would only let fail halfway, with a message of somebody else's.
 * @throws Error in one line when the disk that holds `folder` has less than `megabytes` left for `what`.
 */
export function requireSpace(folder, megabytes, what) {
  const { bavail, bsize, blocks } = statfsSync(folder);
  if (blocks === 0) return; // Some disks of a network do not tell.
  const left = Math.floor((bavail * bsize) / 1_000_000);
  if (left >= megabytes) return;
  throw new Error(`The disk of ${folder} is nearly full: ${left} MB are left, and ${what} ${megabytes} MB.`);
}
