// Made by `npm run sdks` from package.json. Do not edit.
export const VERSION = '0.1.0';
