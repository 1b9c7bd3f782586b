import type { NoticedAction } from '../domain/notice.ts';

/** What happened, in Portuguese and English. `{who}` is the address of the person that it is about. */
const WORDS: Readonly<Record<NoticedAction, readonly [portuguese: string, english: string]>> = {
  'team/invite': ['{who} foi convidado para a equipe.', '{who} was invited to the team.'],
  'team/join': ['{who} entrou na equipe.', '{who} joined the team.'],
  'team/role': ['O papel de {who} foi mudado.', 'The role of {who} was changed.'],
  'team/remove': ['{who} saiu da equipe.', '{who} was taken out of the team.'],
  'team/confirm': ['{who} foi confirmado e pode enviar dinheiro.', '{who} was confirmed and may send money.'],
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
  'keys/revoke': ['Uma chave de produção foi revogada.', 'A production key was revoked.'],
  'webhooks/create': ['Um webhook de produção foi criado.', 'A production webhook was created.'],
  'webhooks/update': ['Um webhook de produção foi mudado.', 'A production webhook was changed.'],
  'webhooks/rotate-secret': [
    'O segredo de um webhook de produção foi trocado.',
    'The secret of a production webhook was changed.',
  ],
  'stores/payout-controls': [
    'Os controles do dinheiro que sai foram mudados.',
    'The controls of money that goes out were changed.',
  ],
  'stores/second-factor': [
    'A exigência de um segundo fator de todos foi mudada.',
    'Whether everybody needs a second factor was changed.',
  ],
};

/** What owners read of a line, in Portuguese and English. */
export function noticeWords({
  action,
  subjectEmail,
}: {
  readonly action: NoticedAction;
  readonly subjectEmail: string | null;
}): readonly [portuguese: string, english: string] {
  const [portuguese, english] = WORDS[action];
  // A function, as an address may have `$&` in it, which a replacement text would not be left as.
  const fill = (words: string, nobody: string) => words.replace('{who}', () => subjectEmail ?? nobody);
  return [fill(portuguese, 'Alguém'), fill(english, 'Somebody')];
}
