// Made by `npm run sdks`. Do not edit.
export const VERSION = '0.1.0';
