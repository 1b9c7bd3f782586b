import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** A stored secret with the id of its key; plain text if the id is null. */
export interface KeptSecret {
  readonly secret: string;
  readonly secretKeyId: string | null;
}

const CIPHER = 'aes-256-gcm';
/** The size recommended by NIST SP 800-38D for GCM. IVs are random; the number per key stays far below 2^32. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys that encrypt secrets at rest. The first encrypts; the others still decrypt older secrets. Without keys, secrets are
 * stored as text, for development only.
 */
export class SecretsKeys {
  /** By id. */
  readonly #keys: ReadonlyMap<string, KeyObject>;
  /** The id of the key that encrypts; null if there are no keys. */
  readonly currentId: string | null;

  /** @param keys of 32 bytes each, in base64. */
  constructor(keys: readonly string[]) {
    const bytes = keys.map((key) => Buffer.from(key, 'base64'));
    this.#keys = new Map(bytes.map((key) => [idOf(key), createSecretKey(key)]));
    this.currentId = this.#keys.keys().next().value ?? null;
  }

  /** @param owner the id of the secret's row; in another row it cannot be read. */
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
   * @throws if the key is unknown, or the stored value was changed or moved to another row. The message contains no part of the
   * secret.
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

  /** A signature of text that leaves this service and comes back. Without keys anyone can make it, in development only. */
  sign(text: string): string {
    const [current] = this.#keys.values();
    return signatureBy(current, text);
  }

  /** Whether any of the keys has signed a text: a rotated key still proves what it signed. */
  isSigned(text: string, signature: string): boolean {
    const sent = Buffer.from(signature);
    const keys: (KeyObject | undefined)[] = this.#keys.size === 0 ? [undefined] : [...this.#keys.values()];
    return keys.some((key) => {
      const own = Buffer.from(signatureBy(key, text));
      return own.length === sent.length && timingSafeEqual(own, sent);
    });
  }
}

/** By a key of its own, because the other one encrypts. */
function signatureBy(key: KeyObject | undefined, text: string): string {
  const derived = hkdfSync('sha256', key?.export() ?? Buffer.alloc(32), '', 'signatures', 32);
  return createHmac('sha256', Buffer.from(derived)).update(text).digest('base64url');
}

/** The length of a stored secret in bytes, computed without its key: the cipher adds a fixed number and no padding. */
export function keptSecretBytes({ secret, secretKeyId }: KeptSecret): number {
  if (secretKeyId === null) return Buffer.byteLength(secret);
  return Buffer.byteLength(secret, 'base64') - IV_BYTES - TAG_BYTES;
}

/** Identifies a key without revealing anything about it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
