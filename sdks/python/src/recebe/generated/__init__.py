"""Made by `npm run sdks`. Do not edit."""
