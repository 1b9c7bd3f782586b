import { type BacenProfile, BY_THE_DOCUMENT, pathsOf } from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPSantander.pas`), brbank 0.0.5. */
export const SANTANDER: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Santander',
  howToVerify:
    'Make an application at developer.santander.com.br and run it in pre-production with a certificate of yours. The open sandbox makes charges by POST and does not fit.',
  production: {
    api: 'https://trust-pix.santander.com.br/api',
    token: 'https://trust-pix.santander.com.br/oauth/token',
  },
  sandbox: {
    api: 'https://trust-pix-h.santander.com.br/api',
    token: 'https://trust-pix-h.santander.com.br/oauth/token',
  },
  // Only revisions have version 2.
  paths: { ...pathsOf('/v1'), cobRevision: '/v2/cob', cobvRevision: '/v2/cobv' },
  token: { credentials: 'FORM', body: 'FORM', grantTypeIn: 'QUERY', scopes: null },
  // Source: brbank 0.0.5 (`cobv`).
  dueCharges: true,
};
