import type { KeyPreset } from '../../../domain/key-presets.ts';
import type { Permission } from '../../../domain/permission.ts';

type Words = readonly [portuguese: string, english: string];

/** What each permission allows. Contract section 2.3 lists the operations. */
export const PERMISSION_WORDS: Readonly<Record<Permission, Words>> = {
  'CHECKOUT:CREATE': ['Criar checkouts, links e cobranças', 'Create checkouts, links and charges'],
  'CHECKOUT:READ': [
    'Ver pagamentos e assinaturas; criar cobranças',
    'See payments and subscriptions; create charges',
  ],
  'CHECKOUT:DELETE': ['Cancelar checkouts, links e cobranças', 'Cancel checkouts, links and charges'],
  'REFUND:CREATE': ['Reembolsar pagamentos', 'Refund payments'],
  'COUPON:CREATE': ['Criar cupons', 'Create coupons'],
  'COUPON:READ': ['Ver cupons', 'See coupons'],
  'COUPON:UPDATE': ['Mudar e desligar cupons', 'Change and disable coupons'],
  'COUPON:DELETE': ['Apagar cupons', 'Delete coupons'],
  'CUSTOMER:CREATE': ['Criar e mudar clientes', 'Create and change customers'],
  'CUSTOMER:READ': ['Ver clientes, com dados pessoais', 'See customers, with personal data'],
  'CUSTOMER:DELETE': ['Apagar clientes', 'Delete customers'],
  'PRODUCT:CREATE': ['Criar e mudar produtos', 'Create and change products'],
  'PRODUCT:READ': ['Ver produtos', 'See products'],
  'PRODUCT:DELETE': ['Apagar produtos', 'Delete products'],
  'SUBSCRIPTION:CREATE': ['Criar assinaturas, trocar planos', 'Create subscriptions, change plans'],
  'SUBSCRIPTION:DELETE': ['Cancelar assinaturas', 'Cancel subscriptions'],
  'STORE:READ': ['Ver a loja, o saldo e a receita', 'See the store, its balance and revenue'],
  'STORE:CREATE': ['Adiantar o relógio de teste', 'Move the test clock'],
  'STORE:DELETE': ['Sem uso ainda', 'Not used yet'],
  'WITHDRAW:CREATE': ['Enviar dinheiro: repasses e Pix', 'Send money: payouts and Pix'],
  'WITHDRAW:READ': ['Ver repasses e transferências', 'See payouts and transfers'],
  'WITHDRAW:APPROVE': ['Aprovar repasses de outras pessoas', 'Approve payouts of others'],
  'WEBHOOK:CREATE': ['Criar, mudar e testar webhooks', 'Create, change and test webhooks'],
  'WEBHOOK:READ': ['Ver webhooks, entregas e eventos', 'See webhooks, deliveries and events'],
  'WEBHOOK:DELETE': ['Apagar webhooks', 'Delete webhooks'],
  'CONNECT:READ': ['Sem uso ainda', 'Not used yet'],
  'CONNECT:CREATE': ['Sem uso ainda', 'Not used yet'],
  'CONNECT:DELETE': ['Sem uso ainda', 'Not used yet'],
};

/** What permissions are about: the part of their names before the colon. */
export const PERMISSION_GROUPS: Readonly<Record<string, Words>> = {
  CHECKOUT: ['Pagamentos', 'Payments'],
  REFUND: ['Reembolsos', 'Refunds'],
  CUSTOMER: ['Clientes', 'Customers'],
  SUBSCRIPTION: ['Assinaturas', 'Subscriptions'],
  PRODUCT: ['Produtos', 'Products'],
  COUPON: ['Cupons', 'Coupons'],
  WITHDRAW: ['Envio de dinheiro', 'Sending money'],
  WEBHOOK: ['Webhooks e eventos', 'Webhooks and events'],
  STORE: ['Loja', 'Store'],
  CONNECT: ['Conexões', 'Connections'],
};

/** The name of each preset, and what a key with it is for. */
export const PRESET_WORDS: Readonly<
  Record<KeyPreset | 'custom', { readonly name: Words; readonly hint: Words }>
> = {
  read: {
    name: ['Só leitura', 'Read only'],
    hint: [
      'Vê tudo e não muda nada: relatórios, contabilidade.',
      'Sees everything and changes nothing: reports, accounting.',
    ],
  },
  shop: {
    name: ['Loja com checkout', 'Checkout shop'],
    hint: [
      'Cria e cancela checkouts e cobranças, e cadastra clientes. Não reembolsa nem envia dinheiro.',
      'Creates and cancels checkouts and charges, and registers customers. Does not refund or send money.',
    ],
  },
  subscriptions: {
    name: ['Assinaturas', 'Subscriptions'],
    hint: [
      'O mesmo, e também cria, muda e cancela assinaturas.',
      'The same, and also creates, changes and cancels subscriptions.',
    ],
  },
  full: {
    name: ['Acesso total', 'Full access'],
    hint: [
      'Tudo, inclusive reembolsar e enviar dinheiro.',
      'Everything, including refunds and sending money.',
    ],
  },
  custom: {
    name: ['Escolher permissões', 'Choose permissions'],
    hint: ['Só o que você marcar abaixo.', 'Only what you tick below.'],
  },
};
