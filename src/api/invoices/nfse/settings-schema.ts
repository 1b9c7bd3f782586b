import { z } from 'zod';
import {
  MAX_ISS_RATE,
  MAX_SERIES,
  NFSE_TRIGGERS,
  type NfseIssuer,
  type NfseSettings,
  SIMPLES_ASSESSMENTS,
  SIMPLES_KINDS,
  SPECIAL_REGIMES,
} from '../../../domain/nfse/nfse.ts';
import { formatTaxId, parseTaxId } from '../../../domain/tax-id.ts';

/** The codes of the states (IBGE), with which the code of a municipality begins. */
const MUNICIPALITY = /^(?:1[1-7]|2[1-9]|3[1-35]|4[1-3]|5[0-3])\d{5}$/;

function digits(count: number, what: string, example: string) {
  const error = `must be ${count} digits: ${what}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{${count}}$`), { error })
    .meta({ description: `${what}, ${count} digits.`, example });
}

function rate(what: string, most: number, example: number) {
  return z
    .int()
    .min(0)
    .max(most)
    .meta({ description: `${what}, in hundredths of a percent: 200 is 2 %.`, example });
}

/** Every field of the store's data, as the API has it. */
const fields = {
  enabled: z.boolean().meta({ description: 'Whether each invoice gets a DPS by itself.' }),
  issueOn: z.enum(NFSE_TRIGGERS).meta({
    description: '`PAID`: when the invoice is paid. `CREATED`: when it gets its number, paid or not.',
  }),
  cnpj: z
    .string()
    .refine((text) => parseTaxId(text)?.kind === 'CNPJ', { error: 'must be a valid CNPJ' })
    .meta({ example: '11.222.333/0001-81' }),
  municipalRegistration: z
    .string()
    .regex(/^[0-9A-Za-z]{1,15}$/, { error: 'must be 1 to 15 letters and digits' })
    .nullable()
    .meta({ description: 'Inscrição municipal, without punctuation.', example: '12345678' }),
  municipalityCode: z
    .string()
    .regex(MUNICIPALITY, { error: 'must be the 7 digits of the municipality at the IBGE' })
    .meta({
      description: 'The IBGE code of the municipality of the store, in which the services count as provided.',
      example: '3550308',
    }),
  series: z.int().min(1).max(MAX_SERIES).meta({
    description:
      'Of the DPS. Choose one that no other program of the store uses: its numbers begin with 1 here.',
    example: 1,
  }),
  serviceCode: digits(6, 'The national code of the service (`cTribNac`)', '010701'),
  municipalServiceCode: digits(3, "The municipality's code of the service (`cTribMun`)", '001').nullable(),
  nbsCode: digits(9, 'The code of the service in the NBS', '115022000').nullable(),
  issRate: rate('The rate of the ISS', MAX_ISS_RATE, 200).nullable().meta({
    description:
      'The rate of the ISS, in hundredths of a percent. Null if the municipality has its rates in the national system. It is left out where the Simples Nacional collects the ISS.',
  }),
  simples: z.enum(SIMPLES_KINDS).meta({ description: 'Under the Simples Nacional (`opSimpNac`).' }),
  simplesAssessment: z.enum(SIMPLES_ASSESSMENTS).nullable().meta({
    description:
      'For `ME_EPP` only: which taxes the Simples collects, `ALL`, all but the ISS, or `NOTHING` (`regApTribSN`).',
  }),
  specialRegime: z.enum(SPECIAL_REGIMES).meta({ description: '`regEspTrib`.' }),
  federalTaxes: rate('Approximate federal taxes within the price (Lei 12.741/2012)', 10_000, 1_345)
    .nullable()
    .meta({ description: 'For `NONE` only, with the next two.' }),
  stateTaxes: rate('The same of the state', 10_000, 0).nullable(),
  municipalTaxes: rate('The same of the municipality', 10_000, 200).nullable(),
  simplesRate: rate('The effective rate of the Simples', 9_999, 600)
    .nullable()
    .meta({ description: 'For `ME_EPP` only (`pTotTribSN`), in hundredths of a percent.' }),
  ibsCbsOperation: digits(6, 'The operation code of IBS and CBS (`cIndOp`)', '100301').nullable(),
  ibsCbsSituation: digits(3, 'The tax situation of IBS and CBS (`CST`)', '000').nullable(),
  ibsCbsClass: digits(6, 'The tax class of IBS and CBS (`cClassTrib`)', '000001').nullable(),
};
const shown = z.object(fields);
type Shown = z.output<typeof shown>;

/** What the tax authority would refuse, as a field and how it would be right. */
function wrongTogether(given: Shown): [keyof Shown, string][] {
  const { simples, simplesAssessment, specialRegime } = given;
  const isSmall = simples === 'ME_EPP';
  const onlyFor = (name: keyof Shown, isFor: boolean, kind: string): [keyof Shown, string][] =>
    (given[name] === null) === isFor ? [[name, `must be set for ${kind}, and null for the others`]] : [];
  const hasNoRegime = simples === 'MEI' || simplesAssessment === 'ALL';
  const parts = ['ibsCbsOperation', 'ibsCbsSituation', 'ibsCbsClass'] as const;
  const missing = parts.filter((name) => given[name] === null);
  const partly = missing.length < parts.length ? missing : [];
  return [
    ...onlyFor('simplesAssessment', isSmall, 'ME_EPP'),
    ...onlyFor('simplesRate', isSmall, 'ME_EPP'),
    ...onlyFor('federalTaxes', simples === 'NONE', 'NONE'),
    ...onlyFor('stateTaxes', simples === 'NONE', 'NONE'),
    ...onlyFor('municipalTaxes', simples === 'NONE', 'NONE'),
    ...(hasNoRegime && specialRegime !== 'NONE'
      ? [['specialRegime', 'must be NONE where the Simples collects the ISS'] as [keyof Shown, string]]
      : []),
    ...partly.map((name): [keyof Shown, string] => [name, 'must be set together with the other two']),
  ];
}

export const updateNfseSettingsBody = z.strictObject(fields).superRefine((given, context) => {
  for (const [name, message] of wrongTogether(given))
    context.addIssue({ code: 'custom', path: [name], message });
});
export type UpdateNfseSettings = z.output<typeof updateNfseSettingsBody>;

export const nfseSettingsView = z
  .object({ devMode: z.boolean(), ...nullableFields() })
  .meta({ id: 'NfseSettings', description: 'Null fields of a store that never entered its data.' });
export type NfseSettingsView = z.output<typeof nfseSettingsView>;

/** In responses each field of the store's data may be null. */
function nullableFields() {
  const { enabled, issueOn } = fields;
  return {
    enabled,
    issueOn,
    cnpj: z.string().nullable(),
    municipalRegistration: z.string().nullable(),
    municipalityCode: z.string().nullable(),
    series: z.int().nullable(),
    serviceCode: z.string().nullable(),
    municipalServiceCode: z.string().nullable(),
    nbsCode: z.string().nullable(),
    issRate: z.int().nullable(),
    simples: z.enum(SIMPLES_KINDS).nullable(),
    simplesAssessment: z.enum(SIMPLES_ASSESSMENTS).nullable(),
    specialRegime: z.enum(SPECIAL_REGIMES).nullable(),
    federalTaxes: z.int().nullable(),
    stateTaxes: z.int().nullable(),
    municipalTaxes: z.int().nullable(),
    simplesRate: z.int().nullable(),
    ibsCbsOperation: z.string().nullable(),
    ibsCbsSituation: z.string().nullable(),
    ibsCbsClass: z.string().nullable(),
  };
}

/** The settings that a body asks for. */
export function nfseSettingsIn(body: UpdateNfseSettings): NfseSettings {
  const { federalTaxes: federal, stateTaxes: state, municipalTaxes: municipal } = body;
  const { ibsCbsOperation: operationCode, ibsCbsSituation: taxSituation, ibsCbsClass: taxClass } = body;
  const issuer: NfseIssuer = {
    cnpj: parseTaxId(body.cnpj)?.bare ?? '',
    municipalRegistration: body.municipalRegistration,
    municipalityCode: body.municipalityCode,
    series: body.series,
    serviceCode: body.serviceCode,
    municipalServiceCode: body.municipalServiceCode,
    nbsCode: body.nbsCode,
    issRate: body.issRate,
    simples: body.simples,
    simplesAssessment: body.simplesAssessment,
    specialRegime: body.specialRegime,
    taxBurden:
      federal === null || state === null || municipal === null ? null : { federal, state, municipal },
    simplesRate: body.simplesRate,
    ibsCbs:
      operationCode === null || taxSituation === null || taxClass === null
        ? null
        : { operationCode, taxSituation, taxClass },
  };
  return { isOn: body.enabled, issuesOn: body.issueOn, issuer };
}

export function presentNfseSettings(
  { devMode }: { readonly devMode: boolean },
  { isOn, issuesOn, issuer }: NfseSettings,
): NfseSettingsView {
  return {
    devMode,
    enabled: isOn,
    issueOn: issuesOn,
    cnpj: issuer && formatTaxId(issuer.cnpj),
    municipalRegistration: issuer?.municipalRegistration ?? null,
    municipalityCode: issuer?.municipalityCode ?? null,
    series: issuer?.series ?? null,
    serviceCode: issuer?.serviceCode ?? null,
    municipalServiceCode: issuer?.municipalServiceCode ?? null,
    nbsCode: issuer?.nbsCode ?? null,
    issRate: issuer?.issRate ?? null,
    simples: issuer?.simples ?? null,
    simplesAssessment: issuer?.simplesAssessment ?? null,
    specialRegime: issuer?.specialRegime ?? null,
    federalTaxes: issuer?.taxBurden?.federal ?? null,
    stateTaxes: issuer?.taxBurden?.state ?? null,
    municipalTaxes: issuer?.taxBurden?.municipal ?? null,
    simplesRate: issuer?.simplesRate ?? null,
    ibsCbsOperation: issuer?.ibsCbs?.operationCode ?? null,
    ibsCbsSituation: issuer?.ibsCbs?.taxSituation ?? null,
    ibsCbsClass: issuer?.ibsCbs?.taxClass ?? null,
  };
}

export const exampleNfseSettings: UpdateNfseSettings = {
  enabled: true,
  issueOn: 'PAID',
  cnpj: '11.222.333/0001-81',
  municipalRegistration: '12345678',
  municipalityCode: '3550308',
  series: 1,
  serviceCode: '010701',
  municipalServiceCode: null,
  nbsCode: '115022000',
  issRate: 200,
  simples: 'NONE',
  simplesAssessment: null,
  specialRegime: 'NONE',
  federalTaxes: 1_345,
  stateTaxes: 0,
  municipalTaxes: 200,
  simplesRate: null,
  ibsCbsOperation: '100301',
  ibsCbsSituation: '000',
  ibsCbsClass: '000001',
};
