import { DataKey } from './data-key.ts';

/** What a searchable hash is made for: equal numbers of two stores, or of two environments, have different hashes. */
export interface NumberOwner {
  readonly storeId: string;
  readonly devMode: boolean;
}

/** `pn1.`, the id of the data key, and nonce, tag and encrypted text in base64. No number looks like that. */
const ENCRYPTED = /^pn1\.([0-9a-f]{8})\.([A-Za-z0-9+/]+={0,2})$/;
/** What each encrypted value begins with. */
export const ENCRYPTED_PREFIX = 'pn1.';

/** What each keyed fingerprint begins with. */
const KEYED_PREFIX = 'pnh.';

/** Keys that this process has loaded, by their ids: a value names the key that it needs. */
const LOADED = new Map<string, DataKey>();

/**
 * Personal numbers (CPFs, CNPJs, PIX keys) as one database keeps them. Reading accepts text as well as encrypted
 * values, so rows of earlier releases stay readable.
 */
export class PersonalNumbers {
  readonly #key: DataKey | null;
  readonly #encrypts: boolean;
  readonly #missing: string | null;

  private constructor(key: DataKey | null, encrypts: boolean, missing: string | null) {
    this.#key = key;
    this.#encrypts = encrypts;
    this.#missing = missing;
  }

  /** Numbers stay text, and no search needs a hash: without SECRETS_KEY, for development alone. */
  static readonly asText = new PersonalNumbers(null, false, null);

  /** @param encrypts false while processes of an earlier release run: numbers stay text, and get their hashes. */
  static withKey(bytes: Buffer, encrypts: boolean): PersonalNumbers {
    const key = new DataKey(bytes);
    LOADED.set(key.id, key);
    return new PersonalNumbers(key, encrypts, null);
  }

  /** The database has a key that this process cannot read. @param missing why, for every use that would need it. */
  static locked(missing: string): PersonalNumbers {
    return new PersonalNumbers(null, false, missing);
  }

  /** Whether new values are encrypted. */
  get encrypts(): boolean {
    return this.#encrypts;
  }

  /**
   * The value to store. @param column `table.column`: read from another column, the value is refused.
   * @throws Error if the database's key cannot be read.
   */
  seal(plain: string, column: string): string {
    const key = this.#usableKey();
    return key === null || !this.#encrypts
      ? plain
      : `${ENCRYPTED_PREFIX}${key.id}.${key.encrypt(plain, column)}`;
  }

  /**
   * The searchable hash of a number; null without a key. Lookups then compare the text.
   * @param kind what the number is, such as `tax id`. @throws Error if the database's key cannot be read.
   */
  hash(plain: string, kind: string, { storeId, devMode }: NumberOwner): string | null {
    return this.#usableKey()?.hmac(JSON.stringify([kind, storeId, devMode, plain])) ?? null;
  }

  /**
   * What is stored in place of a hash of content with a personal number: from a hash without a key, numbers can be
   * guessed one after the other. Not keyed while numbers stay text, as the previous release compares it.
   */
  fingerprint(plainHash: string): string {
    const keyed = this.#keyed(plainHash);
    return this.#encrypts && keyed !== null ? keyed : plainHash;
  }

  /** All that {@link fingerprint} may have stored for a hash, whatever the setting was then. */
  fingerprints(plainHash: string): string[] {
    return [plainHash, this.#keyed(plainHash)].filter((kept) => kept !== null);
  }

  /** @throws Error if numbers are encrypted in this database and the process cannot read them. */
  requireReadable(): void {
    this.#usableKey();
  }

  #keyed(plainHash: string): string | null {
    const key = this.#usableKey();
    return key && `${KEYED_PREFIX}${key.hmac(`fingerprint\n${plainHash}`)}`;
  }

  #usableKey(): DataKey | null {
    if (this.#missing !== null) throw new Error(this.#missing);
    return this.#key;
  }
}

/** Whether a stored value is encrypted. */
export function isSealed(kept: string): boolean {
  return ENCRYPTED.test(kept);
}

/**
 * The number that a stored value stands for: the text of an earlier release as it is.
 * @throws Error without the key, and if the value was changed or stands in another column. The message has no part of it.
 */
export function openNumber(kept: string, column: string): string {
  const [, keyId, base64] = ENCRYPTED.exec(kept) ?? [];
  if (keyId === undefined || base64 === undefined) return kept;
  const key = LOADED.get(keyId);
  if (key === undefined)
    throw new Error(`SECRETS_KEY: does not open the key ${keyId}, which ${column} needs`);
  try {
    return key.decrypt(base64, column);
  } catch {
    throw new Error(`${column}: a personal number was changed, or is another column's`);
  }
}
