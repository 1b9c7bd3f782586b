/**
 * Controls of the bidirectional algorithm (Unicode UAX #9, section 2): marks, embeddings, overrides and isolates.
 * They are invisible and reorder the text around them.
 */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes controls that reorder the text or its surroundings: a name could turn `exe.fdp` into `pdf.exe`, or
 * reorder the digits of an amount. Right-to-left letters keep their order.
 */
export function withoutBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '');
}
