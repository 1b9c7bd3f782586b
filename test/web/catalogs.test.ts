import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from '@jest/globals';
import { CATALOGS, LOCALES, type MessageKey } from '../../src/web/i18n/catalogs.ts';
import { sayAmount } from '../../src/web/i18n/money.ts';
import { translate } from '../../src/web/i18n/translate.ts';

const KEYS = Object.keys(CATALOGS.en) as MessageKey[];

/** The names of a message's placeholders, also those inside of plurals. */
function placeholdersOf(message: string): string[] {
  const names = new Set<string>();
  const walk = (nodes: ReturnType<typeof parse>) => {
    for (const node of nodes) {
      // 0 is text, and 7 the number of a plural.
      if (node.type !== 0 && node.type !== 7) names.add(node.value);
      if ('options' in node) for (const { value } of Object.values(node.options)) walk(value);
    }
  };
  walk(parse(message, { ignoreTag: true }));
  return [...names].toSorted((a, b) => a.localeCompare(b));
}

/** The placeholders that choose a singular whose text does not contain their number. */
function unnumbered(message: string): string[] {
  return parse(message, { ignoreTag: true }).flatMap((node) => {
    if (node.type !== 6 || '=0' in node.options || node.options.one === undefined) return [];
    const isNamed = node.options.one.value.some(
      (part) => part.type === 7 || ('value' in part && part.value === node.value),
    );
    return isNamed ? [] : [node.value];
  });
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

const SOURCES = ['src/web', 'src/mail', 'src/invoices'].flatMap(sourcesUnder).join('\n');

it('formats amounts of pages and mails such that they stay on one line', () => {
  expect([5, 123_456, -350].map(sayAmount)).toEqual(['R$\u00a00,05', 'R$\u00a01.234,56', '-R$\u00a03,50']);
  const pages = ['src/web', 'src/mail'].flatMap(sourcesUnder).join('\n');
  expect(pages.match(/formatBrl|formatSignedBrl\(.*/g)).toEqual([expect.stringContaining('\\u00a0')]);
});

describe('the catalogs', () => {
  it.each(LOCALES)('keeps the same keys in %s', (locale) => {
    expect(new Set(Object.keys(CATALOGS[locale]))).toEqual(new Set(KEYS));
  });

  it.each(LOCALES)('keeps the same placeholders in %s', (locale) => {
    for (const key of KEYS) {
      const message = CATALOGS[locale][key];
      expect(message.trim()).not.toBe('');
      expect([key, placeholdersOf(message)]).toEqual([key, placeholdersOf(CATALOGS.en[key])]);
    }
  });

  it.each(LOCALES)('writes Pix as its brand does in %s', (locale) => {
    expect(KEYS.filter((key) => CATALOGS[locale][key].includes('PIX'))).toEqual([]);
  });

  it.each(LOCALES)('keeps amounts on one line in %s', (locale) => {
    expect(KEYS.filter((key) => /R\$ /.test(CATALOGS[locale][key]))).toEqual([]);
  });

  it('addresses every reader of Spanish as usted', () => {
    // Forms of tú that no other person shares; the last ones are of sentences such as "Elige otra tarjeta".
    const tu = [
      /\b(?:tú|tus?|te|ti|contigo|tuy[oa]s?)\b/i,
      /\b(?:puedes|debes|tienes|quier[ae]s|recibes|pagu?[ae]s|confirmes|vuelves|eres|estás|ves|crees|actives)\b/i,
      /\b(?:pagaste|hiciste|pediste|volviste|suscribirte|protegerte)\b|\p{L}(?:ítelo|ívalo|éntalo|íbelo)\b/iu,
      /(?:^|[.:;,] |\b[oy] )(?:abre|elige|revisa|cierra|comprueba|recarga|ingresa|selecciona|lee) /i,
    ];
    const informal = KEYS.filter((key) => tu.some((form) => form.test(CATALOGS.es[key])));
    expect(informal.map((key) => [key, CATALOGS.es[key]])).toEqual([]);
  });

  it('contains no text that no page uses', () => {
    const unused = KEYS.filter((key) => !SOURCES.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });

  it('names the number wherever it counts zero as one', () => {
    // Portuguese uses the singular for 0 too, so a text for one alone would count what does not exist.
    const counted = KEYS.filter((key) => /, plural,/.test(CATALOGS['pt-BR'][key]));
    expect(counted.length).toBeGreaterThan(0);
    for (const key of counted) expect([key, unnumbered(CATALOGS['pt-BR'][key])]).toEqual([key, []]);
  });

  it.each(LOCALES)('keeps NFS-e on one line in %s', (locale) => {
    expect(translate(locale, 'dashboard.nfse.issue')).toContain('NFS-\u2060e');
  });

  it('chooses the plural by number and language', () => {
    expect([1, 2].map((days) => translate('pt-BR', 'payer.days', { days }))).toEqual(['1 dia', '2 dias']);
    expect([1, 2].map((days) => translate('en', 'payer.days', { days }))).toEqual(['1 day', '2 days']);
    expect([1, 2].map((days) => translate('es', 'payer.days', { days }))).toEqual(['1 día', '2 días']);
  });
});

describe('the calls', () => {
  it('gives every placeholder of a text its value', () => {
    const missing: string[] = [];
    for (const { 0: call, 1: key = '', 2: given, index } of SOURCES.matchAll(
      /say(?:Html)?\(\s*'([\w.]+)'\s*(,\s*\{|\))/g,
    )) {
      const wanted = placeholdersOf(CATALOGS.en[key as MessageKey]);
      if (given === ')') {
        if (wanted.length > 0) missing.push(call);
        continue;
      }
      const values = valuesAfter(SOURCES.slice(index + call.length));
      for (const name of wanted)
        if (!new RegExp(`(^|[\\s,{])${name}\\s*([,:]|$)`).test(values)) missing.push(`${key}: ${name}`);
    }
    expect(missing).toEqual([]);
  });
});

/** The text up to the brace that closes an object literal. */
function valuesAfter(text: string): string {
  let depth = 1;
  let end = 0;
  while (depth > 0 && end < text.length) {
    if (text[end] === '{') depth += 1;
    if (text[end] === '}') depth -= 1;
    end += 1;
  }
  return text.slice(0, end - 1);
}
