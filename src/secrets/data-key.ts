import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

export const DATA_KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';
/**
 * The first half derives a key for this one value; the second half is the IV of AES-GCM. Because each value has its own key, the
 * number of values never nears the limit of random IVs (2^32 under one key, NIST SP 800-38D).
 */
const HALF_NONCE_BYTES = 12;
const NONCE_BYTES = 2 * HALF_NONCE_BYTES;
const TAG_BYTES = 16;

/** A data key and the keys derived from it. Created once per process. */
export class DataKey {
  /** Identifies a key without revealing anything about it. */
  readonly id: string;
  readonly #encryption: KeyObject;
  readonly #hashing: KeyObject;

  constructor(bytes: Buffer) {
    this.id = hash('sha256', bytes).slice(0, 8);
    this.#encryption = derived(bytes, 'recebe personal numbers: encryption');
    this.#hashing = derived(bytes, 'recebe personal numbers: search');
  }

  /** In base64: nonce, tag and ciphertext. @param column the value is bound to. */
  encrypt(plain: string, column: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyFor(nonce), nonce.subarray(HALF_NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAAD(Buffer.from(column));
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
  }

  /** @throws if the value was changed, or encrypted for another column. */
  decrypt(base64: string, column: string): string {
    const kept = Buffer.from(base64, 'base64');
    const nonce = kept.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#keyFor(nonce), nonce.subarray(HALF_NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(column)).setAuthTag(kept.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return (
      decipher.update(kept.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  hmac(text: string): string {
    return createHmac('sha256', this.#hashing).update(text).digest('base64');
  }

  #keyFor(nonce: Buffer): Buffer {
    return createHmac('sha256', this.#encryption).update(nonce.subarray(0, HALF_NONCE_BYTES)).digest();
  }
}

function derived(bytes: Buffer, label: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), label, DATA_KEY_BYTES)));
}
