interface Most {
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Whether a JSON text is nested deeper, or has more values, than allowed. Needs 2 ms for a megabyte, and no memory: `JSON.parse` needs
 * 70 ms and 67 MB for a megabyte of brackets. Counts no value that is not there, but may miss the last one of each object or list.
 * @param json may be broken.
 */
export function hasTooMuch(json: Buffer, most: Most): 'DEPTH' | 'VALUES' | null {
  let depth = 0;
  let openings = 0;
  let commas = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (byte === QUOTE) index = endOfText(json, index);
    else if (byte === COMMA) commas += 1;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      depth += 1;
      openings += 1;
      if (depth > most.depth) return 'DEPTH';
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
  }
  return Math.max(commas, openings - 1) > most.values ? 'VALUES' : null;
}

/** The index of the quote that ends a text; the end of the JSON if there is none. */
function endOfText(json: Buffer, quoteIndex: number): number {
  let index = quoteIndex + 1;
  while (index < json.length && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
  return index;
}
