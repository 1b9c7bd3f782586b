import { hash, randomBytes } from 'node:crypto';

/** A bearer secret and its stored hash. */
export interface Token {
  /** 256 random bits, in 43 characters of base64url. */
  readonly text: string;
  readonly hash: string;
}

const TOKEN_TEXT = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): Token {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hash('sha256', text, 'hex') };
}

/** A token that only a holder of `secret` can make, and makes again from the same purpose. @param secret itself a token. */
export function derivedToken(secret: string, purpose: string): string {
  return hash('sha256', `${secret} ${purpose}`, 'base64url');
}

/** The stored hash of a token; null if the text is not a token. No salt is needed, because the token is random. */
export function tokenHashOf(text: string | undefined): string | null {
  return text !== undefined && TOKEN_TEXT.test(text) ? hash('sha256', text, 'hex') : null;
}
