import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The bank's certificates. Its own authority signs them and lives as long as the process. */
export interface Certificates {
  readonly authority: string;
  readonly server: KeyPair;
  /** The client certificate of the bank's customer. A real bank issues it with the contract. */
  readonly client: KeyPair;
  /** A certificate from an authority that the bank does not trust. */
  readonly stranger: KeyPair;
}

const CURVE = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
type Extensions = NonNullable<NonNullable<Parameters<typeof generate>[1]>['extensions']>;
const LEAF: Extensions = [
  { name: 'basicConstraints', cA: false },
  { name: 'keyUsage', digitalSignature: true },
  { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
  {
    name: 'subjectAltName',
    altNames: [
      { type: 2, value: 'localhost' },
      { type: 7, ip: '127.0.0.1' },
    ],
  },
];

/** Creates new certificates, which takes some milliseconds. */
export async function makeCertificates(): Promise<Certificates> {
  const made = await generate(named('Authority of the bank in a box'), {
    ...CURVE,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true },
    ],
  });
  const ca = { key: made.private, cert: made.cert };
  const leaf = async (name: string, signer?: typeof ca): Promise<KeyPair> => {
    const options = { ...CURVE, extensions: LEAF, ...(signer && { ca: signer }) };
    const pair = await generate(named(name), options);
    return { certificate: pair.cert, key: pair.private };
  };
  const [server, client, stranger] = await Promise.all([
    leaf('localhost', ca),
    leaf('client of the bank in a box', ca),
    leaf('a stranger'),
  ]);
  return { authority: made.cert, server, client, stranger };
}

/**
 * The certificates of a bank that is restarted in the same folder. They are created once, so clients keep theirs. The files
 * that a client needs are also stored separately.
 */
export async function certificatesIn(folder: string): Promise<Certificates> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'certificates.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Certificates;
  const made = await makeCertificates();
  writeFileSync(join(folder, 'authority.pem'), made.authority);
  writeFileSync(join(folder, 'client.pem'), made.client.certificate);
  writeFileSync(join(folder, 'client-key.pem'), made.client.key, { mode: 0o600 });
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

const named = (value: string) => [{ name: 'commonName', value }];
