/** NUL as JSON writes it; an escaped backslash before `u0000` is another text. */
const NUL = /(?<!\\)((?:\\\\)*)\\u0000/g;

/** The JSON of a provider without NUL characters, which Postgres cannot store: one in a payer's name would keep a payment out for ever. */
export function withoutNul(json: string): string {
  return json.includes('\\u0000') ? json.replace(NUL, '$1') : json;
}

/** Parses an answer or notification of a provider, without NUL characters; null if it is not JSON. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(withoutNul(text));
  } catch {
    return null;
  }
}
