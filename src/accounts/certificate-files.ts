import type { ProviderAccountInput } from '../providers/provider-kind.ts';

const CERTIFICATE =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]{2,9} )?PRIVATE KEY-----[^-]*-----END (?:[A-Z]{2,9} )?PRIVATE KEY-----/;

/**
 * Banks hand out one PEM file with certificate and key, or two. If only the file of the certificate was given and has
 * both, its parts become the two secrets.
 */
export function splitCertificate(secrets: ProviderAccountInput['secrets']): ProviderAccountInput['secrets'] {
  const { certificate = '', privateKey } = secrets;
  const [key] = PRIVATE_KEY.exec(certificate) ?? [];
  const chain = certificate.match(CERTIFICATE) ?? [];
  if (privateKey !== undefined || key === undefined || chain.length === 0) return secrets;
  return { ...secrets, certificate: chain.join('\n'), privateKey: key };
}
