import { DataKey } from './data-key.ts';

/** The scope of a searchable hash: the same number in another store or environment has another hash. */
export interface NumberOwner {
  readonly storeId: string;
  readonly devMode: boolean;
}

/** `pn1.`, the id of the data key, and nonce, tag and ciphertext in base64. No number has this format. */
const ENCRYPTED = /^pn1\.([0-9a-f]{8})\.([A-Za-z0-9+/]+={0,2})$/;
/** The prefix of encrypted values. */
export const ENCRYPTED_PREFIX = 'pn1.';

/** The prefix of keyed fingerprints. */
const KEYED_PREFIX = 'pnh.';

/** The keys loaded by this process, by id: a value names the key it needs. */
const LOADED = new Map<string, DataKey>();

/**
 * Personal numbers (CPFs, CNPJs, PIX keys) as stored by one database. Reading accepts text and encrypted values, so rows of
 * earlier releases stay readable.
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

  /** Numbers stay text and are not hashed: without SECRETS_KEY, for development only. */
  static readonly asText = new PersonalNumbers(null, false, null);

  /** @param encrypts false while processes of an earlier release run: numbers stay text, but get hashes. */
  static withKey(bytes: Buffer, encrypts: boolean): PersonalNumbers {
    const key = new DataKey(bytes);
    LOADED.set(key.id, key);
    return new PersonalNumbers(key, encrypts, null);
  }

  /** The database's key cannot be read by this process. @param missing the reason, reported by every use of a number. */
  static locked(missing: string): PersonalNumbers {
    return new PersonalNumbers(null, false, missing);
  }

  /** Whether new values are encrypted. */
  get encrypts(): boolean {
    return this.#encrypts;
  }

  /**
   * The value to store. @param column `table.column`; the value cannot be read from another column.
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
   * @param kind of the number, such as `tax id`. @throws Error if the database's key cannot be read.
   */
  hash(plain: string, kind: string, { storeId, devMode }: NumberOwner): string | null {
    return this.#usableKey()?.hmac(JSON.stringify([kind, storeId, devMode, plain])) ?? null;
  }

  /**
   * Replaces a hash of content that includes a personal number: numbers could be guessed from an unkeyed hash. It stays unkeyed
   * while numbers are text, because the previous release compares it.
   */
  fingerprint(plainHash: string): string {
    const keyed = this.#keyed(plainHash);
    return this.#encrypts && keyed !== null ? keyed : plainHash;
  }

  /** All values that {@link fingerprint} may have stored for a hash, under any setting. */
  fingerprints(plainHash: string): string[] {
    return [plainHash, this.#keyed(plainHash)].filter((kept) => kept !== null);
  }

  /** @throws Error if this database's numbers are encrypted and the process cannot read them. */
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
 * The number behind a stored value; text of an earlier release is returned unchanged.
 * @throws Error if the key is missing, or the value was changed or moved to another column. The message contains no part of the
 * value.
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
