import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSealed, openNumber, PersonalNumbers } from '../../src/secrets/personal-numbers.ts';

const CPF = '52998224725';
const COLUMN = 'customers.tax_id';
const STORE = { storeId: 'store_1', devMode: false };

const newNumbers = (encrypts = true) => PersonalNumbers.withKey(randomBytes(32), encrypts);

describe('a personal number', () => {
  it('seals a number as other text each time and reads it back', () => {
    const numbers = newNumbers();
    for (const plain of [CPF, '12ABC34501DE35', '+5511912345678', 'é🍇', 'x'.repeat(512)]) {
      const [one, other] = [numbers.seal(plain, COLUMN), numbers.seal(plain, COLUMN)];
      expect(one).not.toBe(other);
      expect(one).not.toContain(plain);
      expect([openNumber(one, COLUMN), openNumber(other, COLUMN)]).toEqual([plain, plain]);
    }
  });

  it("reads an earlier release's number as the text it is", () => {
    for (const plain of [CPF, 'ana@example.com', 'pn1.ana@example.com', '']) {
      expect(isSealed(plain)).toBe(false);
      expect(openNumber(plain, COLUMN)).toBe(plain);
    }
  });

  it('refuses a number that was changed, moved to another column or lacks its key', () => {
    const sealed = newNumbers().seal(CPF, COLUMN);
    const [prefix, keyId, base64 = ''] = sealed.split('.');
    const bytes = Buffer.from(base64, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const changed = [prefix, keyId, bytes.toString('base64')].join('.');
    expect(() => openNumber(changed, COLUMN)).toThrow('customers.tax_id: a personal number was changed');
    expect(() => openNumber(sealed, 'charges.payer_tax_id')).toThrow("another column's");
    const foreign = sealed.replace(/\.[0-9a-f]{8}\./, '.00000000.');
    expect(() => openNumber(foreign, COLUMN)).toThrow('SECRETS_KEY: does not open the key 00000000');
  });

  it('stores numbers as text without a key or with PERSONAL_NUMBERS=text', () => {
    expect(newNumbers(false).seal(CPF, COLUMN)).toBe(CPF);
    expect(PersonalNumbers.asText.seal(CPF, COLUMN)).toBe(CPF);
  });

  it('refuses to store or search in a process that cannot read the key', () => {
    const numbers = PersonalNumbers.locked('SECRETS_KEY: lacks the key 1234');
    for (const use of [
      () => numbers.seal(CPF, COLUMN),
      () => numbers.hash(CPF, 'tax id', STORE),
      () => numbers.fingerprint('hash'),
      () => numbers.requireReadable(),
    ])
      expect(use).toThrow('SECRETS_KEY: lacks the key 1234');
  });
});

describe('a searchable hash', () => {
  it('hashes equal numbers equally only within a store, environment and kind', () => {
    const numbers = newNumbers();
    const of = (owner: object, kind = 'tax id', plain = CPF) =>
      numbers.hash(plain, kind, { ...STORE, ...owner });
    expect(of({})).toBe(of({}));
    const others = [
      of({ storeId: 'store_2' }),
      of({ devMode: true }),
      of({}, 'pix key'),
      of({}, 'tax id', '1'),
    ];
    expect(new Set([of({}), ...others]).size).toBe(5);
  });

  it('needs the key, also for a number that can be guessed', () => {
    expect(newNumbers().hash(CPF, 'tax id', STORE)).not.toBe(newNumbers().hash(CPF, 'tax id', STORE));
    expect(PersonalNumbers.asText.hash(CPF, 'tax id', STORE)).toBeNull();
  });

  it('hashes a number equally whether values are encrypted or not', () => {
    const bytes = randomBytes(32);
    const [text, encrypted] = [false, true].map((encrypts) => PersonalNumbers.withKey(bytes, encrypts));
    expect(text?.hash(CPF, 'tax id', STORE)).toBe(encrypted?.hash(CPF, 'tax id', STORE));
  });
});

describe('a fingerprint of content', () => {
  it('keys the fingerprint once numbers are encrypted, and matches both forms', () => {
    const bytes = randomBytes(32);
    const text = PersonalNumbers.withKey(bytes, false);
    const encrypted = PersonalNumbers.withKey(bytes, true);
    expect(text.fingerprint('a-hash')).toBe('a-hash');
    expect(encrypted.fingerprint('a-hash')).toMatch(/^pnh\./);
    for (const numbers of [text, encrypted])
      for (const kept of ['a-hash', encrypted.fingerprint('a-hash')])
        expect(numbers.fingerprints('a-hash')).toContain(kept);
    expect(PersonalNumbers.asText.fingerprints('a-hash')).toEqual(['a-hash']);
  });
});
