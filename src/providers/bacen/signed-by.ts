import { X509Certificate } from 'node:crypto';

/** Real chains are short; a longer one is an attack. */
const MAX_CHAIN_LENGTH = 6;
/** RFC 5280, section 4.2.1.12: the extended key usage of client certificates. */
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/**
 * Parses the certificates of a PEM text.
 * @throws if there is none, or one cannot be parsed.
 */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no certificate');
  return blocks.map((block) => new X509Certificate(block));
}

/**
 * Whether one of these authorities has signed a certificate, directly or through the intermediate ones that came
 * with it. TLS has already proven possession of the key. Every signature is verified here: TLS finds the issuers by
 * their names only, which anyone can forge.
 */
export function isSignedBy(
  shown: X509Certificate,
  authorities: readonly X509Certificate[],
  now: Date,
): boolean {
  const purposes = shown.keyUsage as readonly string[] | undefined;
  if (purposes !== undefined && !purposes.includes(CLIENT_AUTHENTICATION)) return false;
  let certificate = shown;
  for (let length = 0; length < MAX_CHAIN_LENGTH; length += 1) {
    if (!isValidAt(certificate, now)) return false;
    const signed = certificate;
    if (authorities.some((authority) => isValidAt(authority, now) && hasSigned(authority, signed)))
      return true;
    const { issuerCertificate: issuer } = certificate;
    if (issuer === undefined || !hasSigned(issuer, certificate)) return false;
    certificate = issuer;
  }
  return false;
}

function hasSigned(authority: X509Certificate, certificate: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}
