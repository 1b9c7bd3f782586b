import { canonicalNetwork, type WrongNetwork } from '../../traffic/networks.ts';

/** More than these belong into a gateway in front of the service. */
export const MAX_NETWORKS = 50;

/** An entry of a list that is no network that can be allowed. */
export interface WrongEntry {
  readonly entry: string;
  readonly wrong: WrongNetwork;
}

/** What was read of a list of networks. */
export interface GivenNetworks {
  /** Each once, as they are kept. */
  readonly networks: readonly string[];
  readonly wrong: readonly WrongEntry[];
  readonly tooMany: boolean;
}

/** Reads networks and addresses that are separated by blanks, line breaks, commas or semicolons. */
export function networksIn(text: string): GivenNetworks {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
  const networks = new Set<string>();
  const wrong: WrongEntry[] = [];
  for (const entry of entries) {
    const network = canonicalNetwork(entry);
    if (typeof network === 'string') networks.add(network);
    else wrong.push({ entry, wrong: network });
  }
  return { networks: [...networks], wrong, tooMany: networks.size > MAX_NETWORKS };
}
