import { hash, randomBytes } from 'node:crypto';

/** A secret that lets its bearer in, and what is kept of it. */
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

/** What is kept of a token that was sent; null where it is none of ours. There is nothing to guess it from. */
export function tokenHashOf(text: string | undefined): string | null {
  return text !== undefined && TOKEN_TEXT.test(text) ? hash('sha256', text, 'hex') : null;
}
