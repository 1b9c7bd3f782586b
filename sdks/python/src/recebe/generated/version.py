# Made by `npm run sdks`. Do not edit.
VERSION = "0.1.0"
