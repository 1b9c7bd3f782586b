import type { NoticedAction } from '../domain/notice.ts';

/** What happened, in Portuguese and English. `{who}` is the email address of the person concerned. */
const WORDS: Readonly<Record<NoticedAction, readonly [portuguese: string, english: string]>> = {
  'accounts/add': [
    'Uma conta em um provedor, para onde vai o dinheiro de produção, foi incluída.',
    'A provider account for production payments was added.',
  ],
  'accounts/rotate': [
    'Credenciais ou dados de uma conta em um provedor, como a chave dos repasses, foram mudados.',
    'Credentials or settings of a provider account, such as the key for payouts, were changed.',
  ],
  'accounts/remove': ['Uma conta em um provedor foi removida.', 'A provider account was removed.'],
  'team/invite': ['{who} foi convidado para a equipe.', '{who} was invited to the team.'],
  'team/join': ['{who} entrou na equipe.', '{who} joined the team.'],
  'team/role': ['O papel de {who} foi mudado.', 'The role of {who} was changed.'],
  'team/remove': ['{who} saiu da equipe.', '{who} was removed from the team.'],
  'team/confirm': ['{who} foi confirmado e pode enviar dinheiro.', '{who} was confirmed and can send money.'],
  'team/sign-in-link': [
    'Um link com que {who} entra sem senha foi criado.',
    'A sign-in link without a password was created for {who}.',
  ],
  'team/reset-password': [
    'Um link com que {who} escolhe outra senha, sem o segundo fator, foi criado.',
    'A link for {who} to reset the password, without the second factor, was created.',
  ],
  'account/password': ['A senha de {who} foi trocada.', 'The password of {who} was changed.'],
  'account/second-factor': ['{who} ligou um segundo fator.', '{who} switched a second factor on.'],
  'account/second-factor/end': [
    'O segundo fator de {who} foi desligado.',
    'The second factor of {who} was switched off.',
  ],
  'keys/create': ['Uma chave de produção foi criada.', 'A production key was created.'],
  'keys/limit': [
    'Os limites de uma chave de produção foram mudados.',
    'The limits of a production key were changed.',
  ],
  'keys/rotate': [
    'Uma chave de produção foi trocada por outra.',
    'A production key was replaced by another.',
  ],
  'keys/revoke': ['Uma chave de produção foi revogada.', 'A production key was revoked.'],
  'webhooks/create': ['Um webhook de produção foi criado.', 'A production webhook was created.'],
  'webhooks/update': ['Um webhook de produção foi mudado.', 'A production webhook was changed.'],
  'webhooks/rotate-secret': [
    'O segredo de um webhook de produção foi trocado.',
    'The secret of a production webhook was changed.',
  ],
  'stores/payout-controls': [
    'Os controles do dinheiro que sai foram mudados.',
    'The controls for outgoing money were changed.',
  ],
  'stores/second-factor': [
    'A exigência de um segundo fator de todos foi mudada.',
    'The requirement of a second factor for everyone was changed.',
  ],
};

/** The text of a line for owners, in Portuguese and English. */
export function noticeWords({
  action,
  subjectEmail,
}: {
  readonly action: NoticedAction;
  readonly subjectEmail: string | null;
}): readonly [portuguese: string, english: string] {
  const [portuguese, english] = WORDS[action];
  // A function, because an address may contain `$&`, which a replacement string would expand.
  const fill = (words: string, nobody: string) => words.replace('{who}', () => subjectEmail ?? nobody);
  return [fill(portuguese, 'Alguém'), fill(english, 'Someone')];
}
