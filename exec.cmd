@rem npm runs package.json scripts with cmd on Windows, which has no exec (see followNpm in scripts/bootstrap.mjs).
@%*
