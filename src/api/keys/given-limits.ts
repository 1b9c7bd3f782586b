import { canonicalNetwork, type WrongNetwork } from '../../http/networks.ts';

/** Longer lists belong in a gateway in front of the service. */
export const MAX_NETWORKS = 50;

/** An entry that is not an acceptable network. */
export interface WrongEntry {
  readonly entry: string;
  readonly wrong: WrongNetwork;
}

/** A parsed list of networks. */
export interface GivenNetworks {
  /** Without duplicates, in stored form. */
  readonly networks: readonly string[];
  readonly wrong: readonly WrongEntry[];
  readonly tooMany: boolean;
}

/** Parses networks and addresses separated by blanks, line breaks, commas or semicolons. */
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
