import { StoreEntity } from '../../../database/entities/store.ts';
import { updateStoreProfile } from '../../../database/store-profile.ts';
import { type StoreField, WrongStoreField } from '../../../domain/store-profile.ts';
import { formatTaxId } from '../../../domain/tax-id.ts';
import { html } from '../../frame/html.ts';
import { section } from '../frame/components.ts';
import { form, type Problems, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

type Typed = Readonly<Partial<Record<StoreField, string>>>;

/** What payers see of the store. */
const FIELDS: readonly (readonly [StoreField, portuguese: string, english: string])[] = [
  ['name', 'Nome', 'Name'],
  ['city', 'Cidade', 'City'],
  ['taxId', 'CNPJ ou CPF', 'CNPJ or CPF'],
  ['website', 'Site', 'Website'],
  ['logoUrl', 'Endereço do logotipo (https)', 'Address of the logo (https)'],
  ['accentColor', 'Cor (como #0b5d46)', 'Colour (such as #0b5d46)'],
  ['supportEmail', 'E-mail de atendimento', 'E-mail address for questions'],
  ['supportPhone', 'Telefone de atendimento', 'Phone for questions'],
  ['supportUrl', 'Página de atendimento', 'Page for questions'],
  ['legalFooter', 'Rodapé legal', 'Legal footer'],
];
/** The valid format of each, as defined in `src/domain/store-profile.ts`. */
const RIGHT: Readonly<Record<StoreField, readonly [portuguese: string, english: string]>> = {
  name: ['Escreva de 1 a 200 caracteres.', 'Write 1 to 200 characters.'],
  city: ['Escreva de 1 a 200 caracteres.', 'Write 1 to 200 characters.'],
  taxId: [
    'Escreva um CNPJ ou CPF completo; os dígitos verificadores não conferem.',
    'Write a whole CNPJ or CPF; the check digits are wrong.',
  ],
  website: [
    'Escreva um endereço completo, como https://example.com.',
    'Write a whole address, such as https://example.com.',
  ],
  logoUrl: [
    'Escreva o endereço https de uma imagem, como https://example.com/logo.png.',
    'Write the https address of a picture, such as https://example.com/logo.png.',
  ],
  accentColor: ['Escreva uma cor como #0b5d46.', 'Write a colour such as #0b5d46.'],
  supportEmail: [
    'Escreva um e-mail, como ajuda@example.com.',
    'Write an e-mail address, such as ajuda@example.com.',
  ],
  supportPhone: [
    'Escreva um telefone, como +55 11 4002-8922.',
    'Write a phone number, such as +55 11 4002-8922.',
  ],
  supportUrl: [
    'Escreva um endereço completo, como https://example.com/ajuda.',
    'Write a whole address, such as https://example.com/ajuda.',
  ],
  legalFooter: [
    'Escreva de 1 a 500 caracteres, sem quebras de linha.',
    'Write 1 to 500 characters, without line breaks.',
  ],
};
const NEEDED: readonly StoreField[] = ['name', 'city'];

const show = dashboardRoute({
  method: 'GET',
  path: '/settings',
  action: 'settings',
  async handler(visit) {
    const store = await visit.em.findOneOrFail(
      StoreEntity,
      { id: visit.store.id },
      { disableIdentityMap: true },
    );
    const typed = Object.fromEntries(FIELDS.map(([field]) => [field, store[field] ?? ''])) as Typed;
    return renderSettings(visit, { ...typed, taxId: store.taxId === null ? '' : formatTaxId(store.taxId) });
  },
});

function renderSettings(visit: Visit, typed: Typed, problems: Problems = {}, status = 200): Reply {
  const { say } = visit;
  const fields = html`${FIELDS.map(([name, ...label]) =>
    textField({
      name,
      label: say(...label),
      value: typed[name] ?? '',
      required: NEEDED.includes(name),
      maxLength: 2_048,
      problems,
    }),
  )}`;
  const intro = say(
    'Vale para teste e produção. Os pagadores veem nas páginas de pagamento, boletos e comprovantes.',
    'For test and production. Payers see it on payment pages, boletos and receipts.',
  );
  const body = section(
    say('O que os pagadores veem', 'What payers see'),
    html`<p>${intro}</p>${form(visit, { action: '/settings', fields, submit: say('Salvar', 'Save') })}`,
  );
  return page(visit, { title: say('Loja', 'Store'), active: 'settings', body, status });
}

const save = dashboardRoute({
  method: 'POST',
  path: '/settings',
  action: 'settings',
  async handler(visit) {
    const typed = Object.fromEntries(FIELDS.map(([field]) => [field, visit.field(field)])) as Record<
      StoreField,
      string
    >;
    // An empty field clears an optional value.
    const given = Object.fromEntries(
      FIELDS.map(([field]) => [field, typed[field] === '' && !NEEDED.includes(field) ? null : typed[field]]),
    );
    try {
      await visit.act('settings/update', 'of store', async (em) => {
        await updateStoreProfile(em, visit.store.id, given);
        return visit.store.id;
      });
    } catch (error) {
      if (!(error instanceof WrongStoreField)) throw error;
      return renderSettings(visit, typed, { [error.field]: visit.say(...RIGHT[error.field]) }, 422);
    }
    return seeOther(visit.link('/settings'), visit.say('Salvo.', 'Saved.'));
  },
});

export const settingsPages: readonly DashboardRoute[] = [show, save];
