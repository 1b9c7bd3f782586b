import { type BacenProfile, BY_THE_DOCUMENT, mandatePathsOf, SCOPES } from '../profile.ts';

/** Any other institution that follows Bacen's document: the account contains its addresses. */
export const GENERIC: BacenProfile = {
  ...BY_THE_DOCUMENT,
  institution: 'any institution that keeps to the document',
  howToVerify:
    "Name the addresses of the institution's homologation, and take a charge through its whole life there.",
  production: null,
  sandbox: null,
  token: { credentials: 'BASIC', body: 'FORM', grantTypeIn: 'BODY', scopes: SCOPES },
  // Source: Bacen's document, 2.9.0.
  dueCharges: true,
  // Source: Bacen's document, 2.9.0.
  mandates: mandatePathsOf(''),
};
