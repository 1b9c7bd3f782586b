/** A participant number that Bacen has not assigned. */
const SANDBOX_ISPB = '99999999';

/**
 * `E`, the participant, the minute in UTC, and eleven letters and digits (Bacen, "Manual das Interfaces de
 * Comunicação").
 */
export function endToEndIdentifierOf(reference: string, at: Date): string {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12);
  return `E${SANDBOX_ISPB}${minute}${reference.slice(-11)}`;
}
