import { type BacenProfile, BY_THE_DOCUMENT } from '../profile.ts';

/** Sources: ACBr (`ACBrPIXPSPItau.pas`), brbank 0.0.5; bacen/pix-api, issue 371 (webhooks). */
export const ITAU: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'Itaú',
  howToVerify:
    "Ask for credentials at devportal.itau.com.br. Production has its certificate made from a request (CSR) with a token that is valid once. The portal's sandbox wants tokens of another kind and proves little.",
  production: {
    api: 'https://secure.api.itau/pix_recebimentos/v2',
    token: 'https://sts.itau.com.br/as/token.oauth2',
  },
  sandbox: {
    api: 'https://devportal.itau.com.br/sandboxapi/pix_recebimentos_ext_v2/v2',
    token: 'https://devportal.itau.com.br/api/jwt',
  },
  token: { credentials: 'FORM', body: 'FORM', grantTypeIn: 'BODY', scopes: null },
  correlationHeader: 'x-correlationID',
  // Source: brbank 0.0.5 (`cobv`).
  dueCharges: true,
};
