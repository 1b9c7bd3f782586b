import type { AccountOption } from './provider-kind.ts';

/** The setting `cardFees`, which accounts of all card providers may have. `cardFeesSetting` reads what it says. */
export const CARD_FEES_OPTION = {
  name: 'cardFees',
  flags: '--card-fees <fees>',
  description:
    'what the provider keeps of card payments, such as 3.99+0.39, for checkouts whose payers pay it',
  gives: 'SETTING',
  input: 'TEXT',
  isRequired: false,
} as const satisfies AccountOption;
