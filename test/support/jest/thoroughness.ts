/**
 * Whether to test as before a release: more rounds of races, outages of every length, every bank fault in every worker
 * state, and random cases that differ from run to run. `THOROUGH=true npm test -- --all` takes an hour; without it a run tries a share and takes minutes.
 */
export const IS_THOROUGH = process.env.THOROUGH === 'true';

/** @returns how often something is tried whose outcome is left to chance. */
export function roundsOf(thorough: number): number {
  return IS_THOROUGH ? thorough : Math.ceil(thorough / 5);
}
