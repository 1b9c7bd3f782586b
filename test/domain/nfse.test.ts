import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { InvoiceLine } from '../../src/domain/invoice.ts';
import { servicePriceOf } from '../../src/domain/nfse/dps.ts';
import { fiscalText } from '../../src/domain/nfse/fiscal-text.ts';
import { dpsIdOf, parseAccessKey } from '../../src/domain/nfse/nfse.ts';
import { changeBy, type NfseReport, type ReportedNfse } from '../../src/domain/nfse/report.ts';

const CNPJ = '11222333000181';
const KEY = `3550308${'22'}${CNPJ}0000000000042${'2612'}0000000010`;
const OTHER_KEY = `3550308${'22'}${CNPJ}0000000000043${'2612'}0000000010`;
const AT = new Date('2026-12-04T14:25:31.004Z');
const PENDING: ReportedNfse = { status: 'PENDING', attempt: 1, accessKey: null, taxIds: [CNPJ] };
const ERRORS = [{ code: 'E0188', message: 'CNPJ inexistente' }];

const authorized = (accessKey = KEY, attempt: number | null = null): NfseReport => ({
  ...{ status: 'AUTHORIZED', attempt, accessKey, verificationUrl: null, at: AT },
});
const rejected = (attempt: number | null = null): NfseReport => ({
  ...{ status: 'REJECTED', attempt, errors: ERRORS, at: AT },
});
const cancelled = (accessKey: string | null = null): NfseReport => ({
  status: 'CANCELLED',
  accessKey,
  at: AT,
});

/** What an NFS-e is after a report. */
function reportedTo(nfse: ReportedNfse, report: NfseReport): ReportedNfse {
  const change = changeBy(nfse, report);
  if (change === null || typeof change === 'string') return nfse;
  return { ...nfse, status: change.status ?? nfse.status, accessKey: change.accessKey ?? nfse.accessKey };
}

describe('the id of a DPS', () => {
  it('equals the id of an official example', () => {
    const issuer = { municipalityCode: '1400159', cnpj: '01761135000132', series: 900 };
    expect(dpsIdOf(issuer, 6)).toBe('DPS140015920176113500013200900000000000000006');
  });
});

describe('the access key of an NFS-e', () => {
  it('contains municipality, tax id and number', () => {
    expect(parseAccessKey(KEY)).toEqual({ municipalityCode: '3550308', taxId: CNPJ, number: 42 });
    // An official example, without its prefix.
    expect(parseAccessKey('42024042200000000000000000000000000126031234567892')).toMatchObject({ number: 1 });
    for (const wrong of ['', KEY.slice(1), `${KEY}0`, KEY.replace('22', '29')])
      expect(parseAccessKey(wrong)).toBeNull();
  });
});

describe('text of a document', () => {
  it('keeps Portuguese, replaces other characters and drops invisible ones', () => {
    expect(fiscalText('  Ação nº 1 – “Pró”…\t ok ', 100)).toBe('Ação nº 1 - "Pró"... ok');
    expect(fiscalText('Łukasz 日本 🎉 \u202efdp.exe\u0007 \u00ad', 100)).toBe('?ukasz ?? fdp.exe');
    expect(fiscalText('ab cd', 3)).toBe('ab');
    expect(fiscalText('\u200b\ud800', 10)).toBe('');
  });

  it('matches the pattern of the standard for any text', () => {
    const accepted = /^(?:[!-ÿ]|[!-ÿ][ -ÿ]*[!-ÿ])$/u;
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.integer({ min: 1, max: 60 }),
        (text, most) => {
          const made = fiscalText(text, most);
          expect(made === '' || accepted.test(made)).toBe(true);
          expect(made.length).toBeLessThanOrEqual(most);
          expect(fiscalText(made, most)).toBe(made);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the price of the services of an invoice', () => {
  const line = (type: InvoiceLine['type'], amountCents: number): InvoiceLine => ({
    ...{ type, amountCents, description: null, productId: null, quantity: null, unitPriceCents: null },
  });

  it('leaves out fine and interest, and counts discounts and credit', () => {
    const lines = [line('plan', 4_900), line('discount', -900), line('credit', -100), line('fine', 98)];
    expect(servicePriceOf(lines)).toEqual({ grossCents: 4_900, discountCents: 1_000 });
  });

  it('returns null for an invoice that charges nothing', () => {
    expect(servicePriceOf([line('plan', 4_900), line('discount', -4_900)])).toBeNull();
    expect(servicePriceOf([line('interest', 3)])).toBeNull();
  });
});

describe('reports of a transmitter', () => {
  it('authorises a DPS that was rejected before', () => {
    const nfse = reportedTo(PENDING, rejected());
    expect(nfse.status).toBe('REJECTED');
    expect(reportedTo(nfse, authorized())).toMatchObject({ status: 'AUTHORIZED', accessKey: KEY });
  });

  it('refuses a rejection without its attempt once the DPS was issued again', () => {
    const again = { ...PENDING, attempt: 2 };
    expect(changeBy(again, rejected())).toBe('ATTEMPT_MISSING');
    expect(changeBy(again, rejected(2))).toMatchObject({ status: 'REJECTED' });
    expect(changeBy({ ...again, status: 'REJECTED' }, rejected())).toBeNull();
    expect(changeBy(PENDING, rejected())).toMatchObject({ status: 'REJECTED' });
  });

  it('ignores a rejection of an earlier attempt, and after the authorisation', () => {
    const again = { ...PENDING, attempt: 2 };
    expect(changeBy(again, rejected(1))).toBeNull();
    expect(changeBy(reportedTo(again, authorized()), rejected())).toBeNull();
  });

  it('accepts an authorisation of an earlier attempt', () => {
    expect(changeBy({ ...PENDING, attempt: 3 }, authorized(KEY, 1))).toMatchObject({ authorizedAttempt: 1 });
  });

  it('records a cancellation that arrives before its authorisation', () => {
    const nfse = reportedTo(PENDING, cancelled(KEY));
    expect(nfse).toMatchObject({ status: 'CANCELLED', accessKey: KEY });
    expect(changeBy(nfse, authorized())).toBeNull();
  });

  it('refuses what cannot be true', () => {
    expect(changeBy(PENDING, cancelled())).toBe('NEVER_AUTHORIZED');
    expect(changeBy(PENDING, rejected(2))).toBe('UNKNOWN_ATTEMPT');
    expect(changeBy(PENDING, authorized(KEY.replace(CNPJ, '99888777000166')))).toBe('OTHER_ACCESS_KEY');
    expect(changeBy(reportedTo(PENDING, authorized()), authorized(OTHER_KEY))).toBe('OTHER_ACCESS_KEY');
    expect(changeBy(reportedTo(PENDING, authorized()), cancelled(OTHER_KEY))).toBe('OTHER_ACCESS_KEY');
  });

  it('ends the same for any order and any repetition of true reports', () => {
    const reports = [authorized(), rejected(), cancelled(KEY), authorized(KEY, 1), rejected(1)];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...reports), { maxLength: 12 }), (arrived) => {
        const end = arrived.reduce(reportedTo, PENDING);
        const has = (status: string) => arrived.some((report) => report.status === status);
        const rejectedOnly = has('REJECTED') ? 'REJECTED' : 'PENDING';
        const unlessCancelled = has('AUTHORIZED') ? 'AUTHORIZED' : rejectedOnly;
        expect(end.status).toBe(has('CANCELLED') ? 'CANCELLED' : unlessCancelled);
        for (const report of arrived) expect(reportedTo(end, report)).toEqual(end);
      }),
    );
  });
});
