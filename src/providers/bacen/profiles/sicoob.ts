import { type BacenProfile, BY_THE_DOCUMENT, SCOPES } from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPSicoob.pas`), pypix-api 0.14.0 (`banks/sicoob.py`), brbank 0.0.5. */
export const SICOOB: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Sicoob',
  howToVerify:
    'Register at developers.sicoob.com.br. The sandbox takes the fixed token of its portal (the secret accessToken) and answers with data made at random; production takes the certificate of the company (e-CNPJ).',
  production: {
    api: 'https://api.sicoob.com.br/pix/api/v2',
    token: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
  },
  sandbox: {
    api: 'https://sandbox.sicoob.com.br/sicoob/sandbox/pix/api/v2',
    token: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
  },
  token: { credentials: 'FORM_WITHOUT_SECRET', body: 'FORM', grantTypeIn: 'BODY', scopes: SCOPES },
  headers: { client_id: 'clientId' },
  codeField: 'brcode',
  createdStatus: { cob: 201, cobv: 201, refund: 200 },
  // Source: brbank 0.0.5 (`cobv`).
  dueCharges: true,
};
