import { X509Certificate } from 'node:crypto';

/** A chain is short; one that goes on is made up. */
const MAX_CHAIN_LENGTH = 6;
/** RFC 5280, section 4.2.1.12: what a certificate that has this is for. */
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/**
 * The certificates of a text in PEM.
 * @throws where there is none, or one cannot be read.
 */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no certificate');
  return blocks.map((block) => new X509Certificate(block));
}

/**
 * Whether one of these authorities has signed a certificate, be it by others in between that came with it. That whoever
 * shows it has its key was proven by TLS. Every signature is checked here: the issuers that TLS hands out beside a
 * certificate are found by their names, which anybody can write.
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
