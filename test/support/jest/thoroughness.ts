/**
 * Whether what is left to chance is tried as often as before a release, and every outage in all its lengths:
 * `THOROUGH=true npm test -- --all`, an hour. Else a share of it, so that a run takes minutes.
 */
export const IS_THOROUGH = process.env.THOROUGH === 'true';

/** @returns how often something is tried whose outcome is left to chance. */
export function roundsOf(thorough: number): number {
  return IS_THOROUGH ? thorough : Math.ceil(thorough / 5);
}
