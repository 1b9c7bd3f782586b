import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { answerOf } from './answer.mjs';
import { downloadFile } from './download.ts';
import { type Log, runToEnd } from './process.mjs';

/**
 * The release the SDK's own download would bring, give or take a patch. test-server-jars.sha256 lists its
 * jars.
 */
export const TEST_SERVER_VERSION = '1.38.0';

const LIST = new URL('test-server-jars.sha256', import.meta.url);

/** Maven's own name for the registry; MVNW_REPOURL is where the Maven Wrapper looks for a mirror of it. */
const MAVEN_CENTRAL = 'https://repo.maven.apache.org/maven2';

/**
 * Puts the jars of the time-skipping test server, and of all it needs, into `folder`/lib: with Maven where it
 * is installed, as its settings say where this machine's registry is; else one by one.
 */
export async function fetchTestServerJars(folder: string, log: Log): Promise<void> {
  const lib = join(folder, 'lib');
  await mkdir(lib, { recursive: true });
  const what = 'Fetching the time-skipping Temporal test server, once for this machine';
  if ((await answerOf('mvn', ['--version'])) === undefined) {
    log(what);
    await fetchListed(lib);
  } else {
    await copyWithMaven(what, folder, lib, log);
  }
}

async function fetchListed(lib: string): Promise<void> {
  const repository = process.env.MVNW_REPOURL || MAVEN_CENTRAL;
  const lines = readFileSync(LIST, 'utf8').split('\n');
  const jars = lines.filter((line) => line !== '' && !line.startsWith('#'));
  await Promise.all(
    jars.map(async (line) => {
      const [checksum = '', path = ''] = line.split(/\s+/);
      await downloadFile(`${repository}/${path}`, checksum, join(lib, basename(path)));
    }),
  );
}

async function copyWithMaven(what: string, folder: string, lib: string, log: Log): Promise<void> {
  const project = join(folder, 'pom.xml');
  await writeFile(project, PROJECT);
  await runToEnd(
    what,
    'mvn',
    [
      '--batch-mode',
      '--quiet',
      `--file=${project}`,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${lib}`,
    ],
    { log, cwd: folder },
  );
}

/** A project that consists of its dependency, as Maven copies dependencies of projects only. */
const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>recebe</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${TEST_SERVER_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
