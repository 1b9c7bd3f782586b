import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validateXML } from 'xmllint-wasm';
import { INVOICE_LINE_TYPES, type InvoiceLine } from '../../src/domain/invoice.ts';
import { type DpsFacts, servicePriceOf } from '../../src/domain/nfse/dps.ts';
import { type NfseIssuer, SPECIAL_REGIMES } from '../../src/domain/nfse/nfse.ts';
import { renderDps } from '../../src/invoices/nfse/dps-xml.ts';

const SCHEMAS = [
  'DPS_v1.01.xsd',
  'tiposComplexos_v1.01.xsd',
  'tiposSimples_v1.01.xsd',
  'xmldsig-core-schema.xsd',
];
const FILES = SCHEMAS.map((fileName) => ({
  fileName,
  contents: readFileSync(new URL(`./nfse-schemas/${fileName}`, import.meta.url), 'utf8'),
}));

const RUNS = process.env.THOROUGH === 'true' ? 5_000 : 500;

const ISSUER: NfseIssuer = {
  cnpj: '11222333000181',
  municipalRegistration: '12345678',
  municipalityCode: '3550308',
  series: 1,
  serviceCode: '010701',
  municipalServiceCode: '001',
  nbsCode: '115022000',
  issRate: 201,
  simples: 'NONE',
  simplesAssessment: null,
  specialRegime: 'NONE',
  taxBurden: { federal: 1_345, state: 0, municipal: 201 },
  simplesRate: null,
  ibsCbs: { operationCode: '100301', taxSituation: '000', taxClass: '000001' },
};
const LINE: InvoiceLine = {
  type: 'plan',
  description: 'Plano Pró & <Cia>',
  productId: null,
  quantity: 2,
  unitPriceCents: 4_900,
  amountCents: 9_800,
};
const FACTS: DpsFacts = {
  devMode: true,
  number: 123,
  version: {
    ...{ attempt: 1, issuedAt: '2026-12-05T01:30:00.999Z', omitsPayer: false, program: 'Recebe 0.1.0' },
    issuer: ISSUER,
  },
  invoice: {
    number: '2026-000123',
    lines: [
      LINE,
      { ...LINE, type: 'discount', amountCents: -980 },
      { ...LINE, type: 'fine', amountCents: 196 },
    ],
    period: { number: 1, startsAt: '2026-12-01T12:00:00.000Z', endsAt: '2027-01-01T12:00:00.000Z' },
    createdAt: new Date('2026-12-04T12:00:00.000Z'),
  },
  payer: { name: 'Ana Souza', taxId: '52998224725' },
};

const byIssuer = (issuer: Partial<NfseIssuer>, changes: Partial<DpsFacts> = {}): DpsFacts => ({
  ...FACTS,
  version: { ...FACTS.version, issuer: { ...ISSUER, ...issuer } },
  ...changes,
});
const xmlOf = (facts: DpsFacts) => renderDps(facts).xml;

/** The violations of the official schema in any of the documents. @param files with other patterns, if any. */
async function violations(documents: readonly string[], files = FILES): Promise<readonly string[]> {
  const [main, ...others] = files;
  if (main === undefined) throw new Error('there is a schema');
  const xml = documents.map((contents, nth) => ({ fileName: `${nth}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [main], preload: others });
  return errors.map(({ message }) => message);
}

describe('a DPS', () => {
  it('matches the official schema, and says what was sold for how much', async () => {
    const { id, xml } = renderDps(FACTS);
    expect(await violations([xml])).toEqual([]);
    expect(id).toBe('DPS355030821122233300018100001000000000000123');
    for (const part of [
      `<infDPS Id="${id}">`,
      '<tpAmb>2</tpAmb><dhEmi>2026-12-04T22:30:00-03:00</dhEmi>',
      '<serie>1</serie><nDPS>123</nDPS><dCompet>2026-12-01</dCompet>',
      '<CPF>52998224725</CPF><xNome>Ana Souza</xNome>',
      '<xDescServ>2 x Plano Pró &amp; &lt;Cia&gt; (01/12/2026 a 01/01/2027)</xDescServ>',
      '<vServ>98.00</vServ>',
      '<vDescIncond>9.80</vDescIncond>',
      '<pAliq>2.01</pAliq>',
      '<xInfComp>Fatura 2026-000123</xInfComp>',
    ])
      expect(xml).toContain(part);
  });

  it('fails the schema if a value is wrong', async () => {
    const wrong = xmlOf(FACTS).replace('<tpAmb>2', '<tpAmb>3');
    expect((await violations([wrong])).join()).toContain('tpAmb');
  });

  it('follows the rules of each regime', async () => {
    const mei = xmlOf(byIssuer({ simples: 'MEI', taxBurden: null }));
    const small = { simples: 'ME_EPP', simplesRate: 600, taxBurden: null } as const;
    const all = xmlOf(byIssuer({ ...small, simplesAssessment: 'ALL' }));
    const outside = xmlOf(
      byIssuer({ ...small, simplesAssessment: 'FEDERAL_ONLY', specialRegime: 'ESTIMATE' }),
    );
    expect(await violations([mei, all, outside])).toEqual([]);
    expect(mei).toContain('<totTrib><indTotTrib>0</indTotTrib></totTrib>');
    expect(all).toContain('<totTrib><pTotTribSN>6.00</pTotTribSN></totTrib>');
    for (const xml of [mei, all]) expect(xml).not.toContain('pAliq');
    expect(outside).toContain('<pAliq>2.01</pAliq>');
    expect(outside).toContain('<regApTribSN>2</regApTribSN><regEspTrib>2</regEspTrib>');
  });

  it('leaves out a payer whom nobody knows, or who was left out', async () => {
    const unknown = [
      { name: null, taxId: '52998224725' },
      { name: 'Ana', taxId: null },
    ].map((payer) => xmlOf({ ...FACTS, payer }));
    const omitted = xmlOf({ ...FACTS, version: { ...FACTS.version, omitsPayer: true } });
    const documents = [...unknown, omitted];
    expect(await violations(documents)).toEqual([]);
    for (const xml of documents) expect(xml).not.toContain('<toma>');
  });

  it('sets no service date after its own day', () => {
    const early = { ...FACTS.version, issuedAt: '2026-11-20T12:00:00.000Z' };
    expect(xmlOf({ ...FACTS, version: early })).toContain('<dCompet>2026-11-20</dCompet>');
  });

  it('carries a CNPJ with letters, by the patterns of July 2026', async () => {
    const documents = [
      xmlOf(byIssuer({ cnpj: '12ABC34501DE35' })),
      xmlOf({ ...FACTS, payer: { name: 'Empresa', taxId: '12ABC34501DE35' } }),
    ];
    const newer = FILES.map(({ fileName, contents }) => ({
      fileName,
      contents: contents
        .replace('"DPS[0-9]{42}"', '"DPS[0-9]{7}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{20}"')
        .replace(/(name="TSCNPJ"[\s\S]*?)\[0-9\]\{14\}/, '$1[0-9A-Z]{14}'),
    }));
    expect(await violations(documents, newer)).toEqual([]);
    expect(await violations(documents)).not.toEqual([]);
  });

  it('matches the schema for random stores, invoices and hostile text', async () => {
    const documents: string[] = [];
    fc.assert(
      fc.property(anyFacts(), (facts) => {
        const price = servicePriceOf(facts.invoice.lines);
        fc.pre(price !== null);
        const xml = xmlOf(facts);
        documents.push(xml);
        const cents = (name: string) =>
          Math.round(Number(new RegExp(`<${name}>(.*?)</${name}>`).exec(xml)?.[1] ?? 0) * 100);
        const sold = facts.invoice.lines
          .filter(({ type }) => type !== 'fine' && type !== 'interest')
          .reduce((sum, { amountCents }) => sum + amountCents, 0);
        expect(cents('vServ') - cents('vDescIncond')).toBe(sold);
      }),
      { numRuns: RUNS },
    );
    expect(documents.length).toBeGreaterThan(RUNS / 2);
    expect(await violations(documents)).toEqual([]);
  }, 60_000);
});

const hostile = () =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.constantFrom(']]><!--', '<!ENTITY x SYSTEM "file:///etc/passwd">&x;', '\u0000\u202e\ud800', '   ', ''),
  );
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
const at = () => fc.date({ min: new Date('2026-01-01'), max: new Date('2099-12-30'), noInvalidDate: true });

function anyIssuer(): fc.Arbitrary<NfseIssuer> {
  const common = fc.record({
    cnpj: digits(14),
    municipalRegistration: fc.option(fc.stringMatching(/^[0-9A-Za-z]{1,15}$/)),
    municipalityCode: digits(7),
    series: fc.integer({ min: 1, max: 49_999 }),
    serviceCode: digits(6),
    municipalServiceCode: fc.option(digits(3)),
    nbsCode: fc.option(digits(9)),
    issRate: fc.option(fc.integer({ min: 0, max: 500 })),
    specialRegime: fc.constantFrom(...SPECIAL_REGIMES),
    ibsCbs: fc.option(fc.record({ operationCode: digits(6), taxSituation: digits(3), taxClass: digits(6) })),
  });
  const rate = () => fc.integer({ min: 0, max: 10_000 });
  const regime = fc.oneof(
    fc.record({
      simples: fc.constant('NONE' as const),
      simplesAssessment: fc.constant(null),
      simplesRate: fc.constant(null),
      taxBurden: fc.record({ federal: rate(), state: rate(), municipal: rate() }),
    }),
    fc.record({
      simples: fc.constant('MEI' as const),
      simplesAssessment: fc.constant(null),
      simplesRate: fc.constant(null),
      taxBurden: fc.constant(null),
    }),
    fc.record({
      simples: fc.constant('ME_EPP' as const),
      simplesAssessment: fc.constantFrom('ALL' as const, 'FEDERAL_ONLY' as const, 'NOTHING' as const),
      simplesRate: fc.integer({ min: 0, max: 9_999 }),
      taxBurden: fc.constant(null),
    }),
  );
  return fc.tuple(common, regime).map(([one, other]) => ({ ...one, ...other }));
}

function anyFacts(): fc.Arbitrary<DpsFacts> {
  const line = fc.record({
    type: fc.constantFrom(...INVOICE_LINE_TYPES),
    description: fc.option(hostile()),
    productId: fc.constant(null),
    quantity: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
    unitPriceCents: fc.constant(null),
    amountCents: fc.oneof(
      fc.integer({ min: -50_000, max: 9_999_999_999 }),
      fc.integer({ min: 1, max: 9_900 }),
    ),
  });
  const period = fc.record({
    number: fc.nat(),
    startsAt: at().map((instant) => instant.toISOString()),
    endsAt: at().map((instant) => instant.toISOString()),
  });
  return fc.record({
    devMode: fc.boolean(),
    number: fc.integer({ min: 1, max: 999_999_999_999_999 }),
    version: fc.record({
      attempt: fc.constant(1),
      issuedAt: at().map((instant) => instant.toISOString()),
      omitsPayer: fc.boolean(),
      program: fc.constant('Recebe 0.1.0'),
      issuer: anyIssuer(),
    }),
    invoice: fc.record({
      number: fc.constant('2026-000123'),
      lines: fc.array(line, { minLength: 1, maxLength: 12 }),
      period: fc.option(period),
      createdAt: at(),
    }),
    payer: fc.record({
      name: fc.option(hostile()),
      taxId: fc.option(fc.oneof(digits(11), digits(14))),
    }),
  });
}
