import packageJson from '../package.json' with { type: 'json' };

/** The `User-Agent` of every webhook (contract section 7). */
export const USER_AGENT = `Recebe/${packageJson.version}`;
export const VERSION = packageJson.version;
