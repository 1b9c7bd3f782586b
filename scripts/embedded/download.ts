import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import { downloads } from './download.mjs';

export const { downloadArchive, downloadFile, isReachable } = downloads(fetch, () => ({
  dispatcher: network(),
}));

let agent: Dispatcher | undefined;

/**
 * The network as this machine's other programs know it: through the proxy that HTTPS_PROXY names, and
 * trusting the authorities that the machine trusts, as a company's own may stand between it and the internet.
 * Node does neither.
 */
function network(): Dispatcher {
  if (agent === undefined) {
    const ca = [...getCACertificates('default'), ...getCACertificates('system')];
    agent = new EnvHttpProxyAgent({ connect: { ca }, requestTls: { ca }, proxyTls: { ca } });
  }
  return agent;
}
