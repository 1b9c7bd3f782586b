/** What can change about a customer, by its name in the API. */
export const CHANGEABLE_DETAILS = ['name', 'email', 'taxId', 'cellphone', 'zipCode', 'metadata'] as const;
export type ChangeableDetail = (typeof CHANGEABLE_DETAILS)[number];

/** Who has changed it: the merchant with a key, or the customer in the portal. */
export const DETAIL_CHANGERS = ['MERCHANT', 'CUSTOMER'] as const;
export type DetailChanger = (typeof DETAIL_CHANGERS)[number];
