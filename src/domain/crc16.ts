const POLYNOMIAL = 0x1021;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc & 0xffff;
});

/**
 * CRC-16/CCITT-FALSE (polynomial 1021, start FFFF) of an ASCII text as four capital hexadecimal digits, the
 * checksum of a BR Code (EMVCo, QR Code Specification for Merchant-Presented Mode).
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let i = 0; i < text.length; i++) {
    crc = ((crc << 8) ^ (TABLE[((crc >> 8) ^ text.charCodeAt(i)) & 0xff] ?? 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
