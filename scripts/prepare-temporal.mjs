import { downloads } from './embedded/download.mjs';
import { temporalBinary } from './embedded/temporal-binary.mjs';

/** Settings that name a proxy, with which Node's own fetch does not work everywhere. */
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/**
 * Whether a command starts a Temporal server of its own: not if another one is set, nor if single tests are named, most
 * of which need none.
 */
export function needsTemporal(command, args) {
  if (command === 'test') return args.every((arg) => arg === '--all' || arg === '--end-to-end');
  return ['start', 'dev'].includes(command) && !process.env.TEMPORAL_ADDRESS;
}

/**
 * Begins to obtain the Temporal server beside the installation of packages, without any of them. If that fails, the
 * command tries again by itself and says why.
 * @returns how far it is, in words for a person.
 */
export function prepareTemporal() {
  let text = '';
  const log = (line) => {
    text = line;
  };
  if (PROXIES.some((name) => process.env[name])) return () => '';
  const { downloadArchive } = downloads(fetch);
  void temporalBinary(log, downloadArchive).then(
    () => log(''),
    () => log(''),
  );
  return () => text;
}
