import { type BacenProfile, BY_THE_DOCUMENT } from '../profile.ts';

/** Source: ACBr (`ACBrPIXPSPC6Bank.pas`). */
export const C6: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'C6 Bank',
  howToVerify:
    'Ask for credentials and certificate at developers.c6bank.com.br; the sandbox has a host of its own.',
  production: { api: 'https://baas-api.c6bank.info/v2/pix', token: 'https://baas-api.c6bank.info/v1/auth' },
  sandbox: {
    api: 'https://baas-api-sandbox.c6bank.info/v2/pix',
    token: 'https://baas-api-sandbox.c6bank.info/v1/auth',
  },
  createdStatus: { cob: 200, cobv: 201, refund: 201 },
  // Source: ACBr (`cobv` answered with 201).
  dueCharges: true,
};
