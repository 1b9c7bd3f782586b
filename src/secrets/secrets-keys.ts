import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A secret as it is kept: with the id of the key that encrypts it, or as it is where that is null. */
export interface KeptSecret {
  readonly secret: string;
  readonly secretKeyId: string | null;
}

const CIPHER = 'aes-256-gcm';
/** What NIST SP 800-38D recommends for GCM. Random for each: far below 2^32 of them under one key. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys that secrets are encrypted with at rest. The first encrypts; the others still decrypt what was
 * encrypted with them before. Without any, secrets are kept as they are: for development alone.
 */
export class SecretsKeys {
  /** By their ids. */
  readonly #keys: ReadonlyMap<string, KeyObject>;
  /** Of the key that encrypts; null where there is none. */
  readonly currentId: string | null;

  /** @param keys of 32 bytes each, in base64. */
  constructor(keys: readonly string[]) {
    const bytes = keys.map((key) => Buffer.from(key, 'base64'));
    this.#keys = new Map(bytes.map((key) => [idOf(key), createSecretKey(key)]));
    this.currentId = this.#keys.keys().next().value ?? null;
  }

  /** @param owner the id of the row it stands in: moved to another row, it cannot be read. */
  encrypt(plain: string, owner: string): KeptSecret {
    const key = this.currentId === null ? undefined : this.#keys.get(this.currentId);
    if (key === undefined) return { secret: plain, secretKeyId: null };
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    const secret = Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
    return { secret, secretKeyId: this.currentId };
  }

  /**
   * @throws where the key is none of ours, or what is kept was changed or stands in another row. The message
   *   has no part of the secret.
   */
  decrypt({ secret, secretKeyId }: KeptSecret, owner: string): string {
    if (secretKeyId === null) return secret;
    const key = this.#keys.get(secretKeyId);
    if (key === undefined) throw new Error(`SECRETS_KEY: lacks the key ${secretKeyId}, which ${owner} needs`);
    const kept = Buffer.from(secret, 'base64');
    const decipher = createDecipheriv(CIPHER, key, kept.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(kept.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const encrypted = kept.subarray(IV_BYTES + TAG_BYTES);
    try {
      return decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new Error(`the secret of ${owner} was changed, or is another row's`);
    }
  }
}

/** How many bytes a kept secret has, without its key: the cipher adds a fixed number, and no padding. */
export function keptSecretBytes({ secret, secretKeyId }: KeptSecret): number {
  if (secretKeyId === null) return Buffer.byteLength(secret);
  return Buffer.byteLength(secret, 'base64') - IV_BYTES - TAG_BYTES;
}

/** Tells keys apart and nothing about them. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
