/**
 * Controls of the bidirectional algorithm (Unicode UAX #9, section 2): marks, embeddings, overrides and isolates. They
 * are seen by nobody, and have the text around them read in another order.
 */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text for people to read, without what could have it, and the text beside it, read in another order: a name that turns
 * `exe.fdp` into `pdf.exe`, or the digits of an amount. Letters that are written from right to left keep their order.
 */
export function withoutBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '');
}
