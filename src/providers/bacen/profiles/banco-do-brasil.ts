import {
  type BacenProfile,
  BY_THE_DOCUMENT,
  MANDATE_SCOPES_WITHOUT_LOCATIONS,
  mandatePathsOf,
  SCOPES,
} from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPBancoDoBrasil.pas`), pypix-api 0.14.0 (`banks/bb.py`), brbank 0.0.5. */
export const BANCO_DO_BRASIL: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Banco do Brasil',
  howToVerify:
    'Make an application at developers.bb.com.br (API Pix, version 2). Its key goes into the setting applicationKey. The sandbox asks for no certificate, production does.',
  production: { api: 'https://api-pix.bb.com.br/pix/v2', token: 'https://oauth.bb.com.br/oauth/token' },
  // pypix-api has api-pix.hm.bb.com.br instead, which an account may set as its own address.
  sandbox: { api: 'https://api.hm.bb.com.br/pix/v2', token: 'https://oauth.hm.bb.com.br/oauth/token' },
  token: { credentials: 'BASIC', body: 'FORM', grantTypeIn: 'BODY', scopes: SCOPES },
  query: { 'gw-dev-app-key': 'applicationKey' },
  codeField: 'textoImagemQRcode',
  createdStatus: { cob: 200, cobv: 200, refund: 201 },
  errors: 'BANCO_DO_BRASIL',
  // Source: brbank 0.0.5 (`cobv`).
  dueCharges: true,
  // Source: pypix-api 0.14.0 (scopes rec and cobr).
  mandates: mandatePathsOf(''),
  // Source: pypix-api 0.14.0 (`scopes`).
  mandateScopes: MANDATE_SCOPES_WITHOUT_LOCATIONS,
};
