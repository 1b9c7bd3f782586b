import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bareCardNumber, type TypedCard, wrongCardFields } from '../../src/domain/card.ts';

const NOW = new Date('2026-12-04T15:00:00.000Z');
const CARD: TypedCard = {
  number: '4242 4242 4242 4242',
  holderName: 'ANA SOUZA',
  expiry: '12/30',
  cvv: '123',
};
const wrong = (changes: Partial<TypedCard>, now = NOW) =>
  wrongCardFields({ ...CARD, ...changes }, now)[0] ?? null;

const digit = fc.integer({ min: 0, max: 9 });
/** Any number of digits without its check digit. */
const payload = fc.array(digit, { minLength: 12, maxLength: 18 }).map((digits) => digits.join(''));
const isRight = (number: string) => wrong({ number }) === null;

describe('a card number', () => {
  it.each([
    ['4242424242424242', 'Visa'],
    ['4222222222222', 'Visa of 13 digits'],
    ['5555555555554444', 'Mastercard'],
    ['378282246310005', 'American Express, of 15 digits'],
    ['6362970000457013', 'Elo'],
    ['6304000000000000000', 'Maestro, of 19 digits'],
  ])('accepts the card number %s (%s)', (number) => {
    expect(wrong({ number })).toBeNull();
  });

  it('accepts a card number with spaces and hyphens', () => {
    expect(wrong({ number: ' 4242-4242 4242\t4242 ' })).toBeNull();
    expect(bareCardNumber(' 4242-4242 4242\t4242 ')).toBe('4242424242424242');
  });

  it.each([
    ['nothing', ''],
    ['12 digits', '424242424242'],
    ['20 digits', '42424242424242424242'],
    ['a wrong check digit', '4242424242424241'],
    ['a letter', '424242424242424A'],
    ['digits of another script', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢'],
  ])('refuses %s as a card number', (_, number) => {
    expect(wrong({ number })).toBe('number');
  });

  it('accepts exactly one check digit for any number', () => {
    fc.assert(
      fc.property(payload, (digits) => {
        const right = Array.from({ length: 10 }, (_, check) => `${digits}${check}`).filter(isRight);
        expect(right).toHaveLength(1);
      }),
    );
  });

  it('detects one mistyped digit of a card number', () => {
    fc.assert(
      fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (index, shift) => {
        const digits = [...'4242424242424242'];
        digits[index] = String((Number(digits[index]) + shift) % 10);
        expect(wrong({ number: digits.join('') })).toBe('number');
      }),
    );
  });

  it('detects two swapped neighbouring digits, unless they are 0 and 9', () => {
    fc.assert(
      fc.property(payload, fc.nat(), (digits, at) => {
        const check = Array.from({ length: 10 }, (_, last) => `${digits}${last}`).find(isRight) ?? '';
        const index = at % (check.length - 1);
        const [left = '', right = ''] = check.slice(index, index + 2);
        fc.pre(left !== right && left + right !== '09' && left + right !== '90');
        const swapped = check.slice(0, index) + right + left + check.slice(index + 2);
        expect(wrong({ number: swapped })).toBe('number');
      }),
    );
  });
});

describe('the date on a card', () => {
  const LAST_MOMENT_OF_DECEMBER = new Date('2027-01-01T02:59:59.999Z');
  const FIRST_MOMENT_OF_JANUARY = new Date('2027-01-01T03:00:00.000Z');

  it('accepts a card until the last moment of its month in São Paulo', () => {
    expect(wrong({ expiry: '12/26' }, LAST_MOMENT_OF_DECEMBER)).toBeNull();
    expect(wrong({ expiry: '12/26' }, FIRST_MOMENT_OF_JANUARY)).toBe('expiry');
    expect(wrong({ expiry: '01/27' }, FIRST_MOMENT_OF_JANUARY)).toBeNull();
  });

  it.each(['12/26', '12/2026', ' 12 / 26 '])('accepts the expiry %p', (expiry) => {
    expect(wrong({ expiry })).toBeNull();
  });

  it.each(['', '00/30', '13/30', '1226', '12-30', '12/130', '12/1930', '12/30x', '11/26', '12/25'])(
    'refuses the expiry %p',
    (expiry) => {
      expect(wrong({ expiry })).toBe('expiry');
    },
  );

  it('refuses an expiry exactly if its month is before the present one', () => {
    const month = fc.record({
      year: fc.integer({ min: 20, max: 99 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(month, month, (printed, present) => {
        const expiry = `${String(printed.month).padStart(2, '0')}/${printed.year}`;
        const now = new Date(Date.UTC(2000 + present.year, present.month - 1, 15, 12));
        const isPast = printed.year * 12 + printed.month < present.year * 12 + present.month;
        expect(wrong({ expiry }, now)).toBe(isPast ? 'expiry' : null);
      }),
    );
  });
});

describe('the security code', () => {
  it.each(['123', '0000'])('accepts the security code %s', (cvv) => {
    expect(wrong({ cvv })).toBeNull();
  });

  it.each(['', '12', '12345', '12a', ' 123'])('refuses the security code %p', (cvv) => {
    expect(wrong({ cvv })).toBe('cvv');
  });
});

it('refuses a blank cardholder name', () => {
  expect(wrong({ holderName: ' \t' })).toBe('holderName');
});

it('names the first wrong field in the order of the form', () => {
  expect(wrong({ number: '', holderName: '', expiry: '', cvv: '' })).toBe('number');
  expect(wrong({ holderName: '', expiry: '', cvv: '' })).toBe('holderName');
  expect(wrong({ expiry: '', cvv: '' })).toBe('expiry');
});
