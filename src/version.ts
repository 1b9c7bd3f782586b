import packageJson from '../package.json' with { type: 'json' };

/** Name and version sent as `User-Agent` with every webhook (contract section 7). */
export const USER_AGENT = `Recebe/${packageJson.version}`;
export const VERSION = packageJson.version;
